// Draws a bar: a height, and the numbers of its tracks as custom properties that the style sheet makes looks of.

import { part } from './dom.js';

/** Below this a row is too faint to be used. */
const USABLE = 0.6;

export class BarView {
  #root;
  #shown = null;

  constructor(root) {
    this.#root = root;
  }

  /** What is on the screen now: `{ height, values }`. */
  get shown() {
    return this.#shown;
  }

  /** Shows a bar of the service, or a mixture of two. */
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

/** What a `Bar` of the API looks like. */
export function look(bar) {
  return { height: bar.state.height, values: bar.values };
}

/** The look on the way from one to another; `progress` may overshoot. */
export function mix(from, to, progress) {
  const at = (a, b) => a + (b - a) * progress;
  const values = Object.entries(to.values).map(([track, value]) => [track, at(from.values[track] ?? value, value)]);
  return { height: at(from.height, to.height), values: Object.fromEntries(values) };
}
