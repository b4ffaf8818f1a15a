// A button that copies a text and confirms it.

import { element } from './dom.js';

/** Copies what `text()` returns; `what` names it for screen readers, `label` is the text of the button. */
export function copyButton(what, text, label = 'Copy') {
  const button = element('button', { type: 'button', class: 'copy', 'aria-label': `Copy ${what}` }, label);
  button.addEventListener('click', async () => {
    button.textContent = (await copy(text())) ? 'Copied' : 'Press Ctrl C';
    setTimeout(() => (button.textContent = label), 1600);
  });
  return button;
}

/** Browsers offer the clipboard on secure connections alone; on others the text is selected by hand. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
