// A button that copies a text, and says so.

import { element } from '../dom.js';

/** Copies what `text()` returns; `what` names it for screen readers. */
export function copyButton(what, text) {
  const button = element('button', { type: 'button', class: 'copy', 'aria-label': `Copy ${what}` }, 'Copy');
  button.addEventListener('click', async () => {
    button.textContent = (await copy(text())) ? 'Copied' : 'Press Ctrl C';
    setTimeout(() => (button.textContent = 'Copy'), 1600);
  });
  return button;
}

/** Without a secure connection there is no clipboard; then the person is asked to do it. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
