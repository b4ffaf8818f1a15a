// Code that wraps between words only.

import { element } from './dom.js';

/** Words with a hyphen, at which a browser would break; the places behind a bracket or a label, and before a member. */
const PARTS = /([\w-]*\w-[\w-]+)|(?<=[({]|\w:)(?=\S)|(?=\.[A-Za-z])/;

/** Returns the nodes of a code whose lines may break at blanks, behind brackets and before members. */
export function codeText(text) {
  // Every second piece is what separates two others: a word with a hyphen, or nothing.
  return text.split(PARTS).map((piece, index) => {
    if (index % 2 === 0) return piece;
    return piece === undefined ? element('wbr') : element('span', { class: 'whole' }, piece);
  });
}
