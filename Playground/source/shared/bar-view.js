// Draws a bar: its height, and the values of its tracks as custom properties for the style sheet. A row that has faded
// cannot be used.

import { paint } from '/client/follow.js';
import { part } from './dom.js';

/** The opacity below which a row cannot be used. */
const USABLE = 0.6;

export class BarView {
  #root;
  /** The shown bar: `{ height, progress, values }`. */
  shown = null;

  constructor(root) {
    this.#root = root;
  }

  /** Shows a bar of the service, or an interpolation of two. */
  show(look) {
    this.shown = look;
    paint(this.#root, look);
    const { values } = look;
    part(this.#root, 'search').inert = (values['search.alpha'] ?? 1) < USABLE;
    part(this.#root, 'rows').inert = (values['rows.alpha'] ?? 1) < USABLE;
  }
}
