// One live region for the page. Screen readers announce the last text after a pause, not every change.

import { part } from './dom.js';

/** Milliseconds without a new text before one is announced. */
const REST = 700;
let timer = 0;

/** Drops the waiting text, because it is outdated. */
export function hush() {
  clearTimeout(timer);
}

/** Announces `text` unless another one follows within the pause. */
export function announce(text) {
  clearTimeout(timer);
  timer = setTimeout(() => (part(document, 'announcer').textContent = text), REST);
}
