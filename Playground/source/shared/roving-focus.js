// Makes a list one stop of the Tab key, for any length; the arrow keys move within it.

const KEYS = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

/** Makes the elements of `list` that match `selector`, now and later, one stop. */
export function rovingFocus(list, selector) {
  const items = () => [...list.querySelectorAll(selector)];

  function stopAt(current) {
    for (const item of items()) item.tabIndex = item === current ? 0 : -1;
  }

  /** If the stop was removed from the list, the first element becomes the stop. */
  function settle() {
    const all = items();
    stopAt(all.find((item) => item.tabIndex === 0 && item.dataset.stop) ?? all[0]);
  }

  list.addEventListener('focusin', ({ target }) => {
    if (!target.matches(selector)) return;
    for (const item of items()) delete item.dataset.stop;
    target.dataset.stop = 'yes';
    stopAt(target);
  });
  list.addEventListener('keydown', (event) => {
    const step = KEYS[event.key];
    // With a modifier the keys are the browser's, as those of its history.
    if (!step || event.altKey || event.ctrlKey || event.metaKey || !event.target.matches(selector)) return;
    const all = items();
    const next = all[Math.min(all.length - 1, Math.max(0, all.indexOf(event.target) + step))];
    event.preventDefault();
    next.focus();
  });
  new MutationObserver(settle).observe(list, { childList: true });
  settle();
}
