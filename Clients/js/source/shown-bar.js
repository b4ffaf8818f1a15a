// What an app reads of a session: the shown bar, which is the confirmed one with the pending events.

import { Emitter } from './emitter.js';
import { Prediction } from './prediction.js';

/** Whether two values have the same JSON. */
export const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export class ShownBar extends Emitter {
  /** Only the session changes it. */
  prediction;
  /** The state, insets and values; the same objects until they change. */
  #shown = {};

  constructor(body) {
    super();
    this.prediction = new Prediction(body);
    /** The bar after its creation, with the commands of the attachment. */
    this.created = this.withShown(this.prediction.shown.created);
  }

  /** The sequence number of the last confirmed event. */
  get lastSequence() {
    return this.queue.sequence;
  }

  get revision() {
    return this.prediction.revision;
  }

  get state() {
    return this.#shown.state;
  }

  get scrollable() {
    return this.#shown.scrollable;
  }

  get values() {
    return this.#shown.values;
  }

  /** All values that the shown bar keeps. */
  get snapshot() {
    return this.prediction.shown.snapshot;
  }

  /** The events that are not confirmed. */
  get pendingEvents() {
    return this.queue.pending.map(({ event }) => event);
  }

  get queue() {
    return this.prediction.queue;
  }

  /** Returns an outcome with the shown bar. */
  withShown(outcome = { commands: [], crossings: [] }) {
    const { values, shown: { state, scrollable } } = this.prediction;
    const now = { state, scrollable, values };
    for (const name in now) if (!isSame(now[name], this.#shown[name])) this.#shown[name] = now[name];
    return { ...outcome, ...this.#shown };
  }
}
