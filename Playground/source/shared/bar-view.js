// Draws a bar: its height, and the values of its tracks as custom properties for the style sheet.

import { part } from './dom.js';

/** The opacity below which a row cannot be used. */
const USABLE = 0.6;

export class BarView {
  #root;
  #shown = null;

  constructor(root) {
    this.#root = root;
  }

  /** The shown bar: `{ height, values }`. */
  get shown() {
    return this.#shown;
  }

  /** Shows a bar of the service, or an interpolation of two. */
  show({ height, values }) {
    this.#shown = { height, values };
    this.#root.style.height = `${height}px`;
    for (const [track, value] of Object.entries(values)) {
      this.#root.style.setProperty(`--${track.replaceAll('.', '-')}`, String(value));
    }
    part(this.#root, 'search').inert = (values['search.alpha'] ?? 1) < USABLE;
    part(this.#root, 'rows').inert = (values['rows.alpha'] ?? 1) < USABLE;
  }
}

/** Returns the appearance of a `Bar` of the API. */
export function look(bar) {
  return { height: bar.state.height, values: bar.values };
}

/** Interpolates two appearances; `progress` may overshoot. */
export function mix(from, to, progress) {
  const at = (a, b) => a + (b - a) * progress;
  const values = Object.entries(to.values).map(([track, value]) => [track, at(from.values[track] ?? value, value)]);
  return { height: at(from.height, to.height), values: Object.fromEntries(values) };
}
