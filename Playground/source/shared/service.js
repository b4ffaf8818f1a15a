// Requests to the page's own service with the JavaScript client, which records every exchange.

import { Springbar } from '/client/springbar.js';
import { Exchanges } from './exchanges.js';
import { askForToken } from './token.js';

export const exchanges = new Exchanges();

/** Whether the user has closed the dialog without a token: the page repeats its requests, but not its question. */
let isDeclined = false;

async function authorize() {
  const token = isDeclined ? null : await askForToken();
  isDeclined = token === null;
  return token;
}

export const springbar = new Springbar({
  authorize,
  environment: { fetch: (url, init) => exchanges.fetch(url, init) },
});
