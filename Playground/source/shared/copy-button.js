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

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** Browsers offer the clipboard only on secure connections; over plain HTTP a selection can be copied. */
function copySelected(text) {
  const focused = document.activeElement;
  const field = element('textarea', { class: 'visually-hidden', 'aria-hidden': 'true' });
  field.value = text;
  // A modal dialog makes all elements outside of it inert.
  (focused?.closest('dialog') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  focused?.focus();
  return isCopied;
}
