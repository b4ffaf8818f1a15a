// A long list is one stop of the Tab key, however long it grows; within it the arrows move.

const KEYS = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };

/** Makes the elements of `list` that match `selector`, now and later, one stop. */
export function rovingFocus(list, selector) {
  const items = () => [...list.querySelectorAll(selector)];

  function stopAt(current) {
    for (const item of items()) item.tabIndex = item === current ? 0 : -1;
  }

  /** The stop may have left the list; then the first one takes over. */
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
    if (!step || !event.target.matches(selector)) return;
    const all = items();
    const next = all[Math.min(all.length - 1, Math.max(0, all.indexOf(event.target) + step))];
    event.preventDefault();
    next.focus();
  });
  new MutationObserver(settle).observe(list, { childList: true });
  settle();
}
