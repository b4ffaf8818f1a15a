// One live region for the page. A screen reader hears what came to rest, not every step on the way.

import { part } from './dom.js';

/** Milliseconds without a new text before one is announced. */
const REST = 700;
let timer = 0;

/** Drops a text that waits: what it says is no longer so. */
export function hush() {
  clearTimeout(timer);
}

/** Announces `text` once no other has come for a while. */
export function announce(text) {
  clearTimeout(timer);
  timer = setTimeout(() => (part(document, 'announcer').textContent = text), REST);
}
