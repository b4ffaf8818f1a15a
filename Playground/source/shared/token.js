// Asks the person for the token of a service that wants one. It is kept for this tab only.

import { part } from './dom.js';

const KEY = 'springbar.token';

/** Resolves with a token, or with null when the person has none. A token that was kept is tried first, once. */
export function askForToken() {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (kept) return Promise.resolve(kept);
  const dialog = part(document, 'token');
  const field = part(dialog, 'token-field');
  return new Promise((resolve) => {
    dialog.addEventListener(
      'close',
      () => {
        const token = dialog.returnValue === 'use' && field.value.trim() !== '' ? field.value.trim() : null;
        if (token) sessionStorage.setItem(KEY, token);
        resolve(token);
      },
      { once: true },
    );
    dialog.showModal();
  });
}
