// Requests to the page's own service with the JavaScript client, which records every exchange.

import { Springbar } from '/client/springbar.js';
import { Exchanges } from './exchanges.js';
import { askForToken } from './token.js';

export const exchanges = new Exchanges();

export const springbar = new Springbar({
  authorize: askForToken,
  environment: { fetch: (url, init) => exchanges.fetch(url, init) },
});
