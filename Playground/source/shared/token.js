// Asks the user for a token if the service requires one. It is kept only for this tab.

import { part } from './dom.js';

const KEY = 'springbar.token';

/** The last token of this page. If the service asks again, it was refused. */
let given = null;

/** Resolves with a token, or with null if there is none. A stored token is tried first. */
export function askForToken() {
  const kept = sessionStorage.getItem(KEY);
  if (kept && kept !== given) return Promise.resolve((given = kept));
  sessionStorage.removeItem(KEY);
  const dialog = part(document, 'token');
  const field = part(dialog, 'token-field');
  return new Promise((resolve) => {
    dialog.addEventListener(
      'close',
      () => {
        const token = dialog.returnValue === 'use' && field.value.trim() !== '' ? field.value.trim() : null;
        if (token) sessionStorage.setItem(KEY, token);
        resolve((given = token));
      },
      { once: true },
    );
    dialog.showModal();
  });
}
