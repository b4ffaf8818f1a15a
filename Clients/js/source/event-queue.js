// The queue of a bar's events: those that are not confirmed, and the last confirmed ones.
//
// The service numbers the events of a bar without gaps. A number that is sent again with the same content gets the same
// response, so a batch without a response is sent again unchanged. Events of different writers never have the same
// content, because each has a mark in its `timestamp`. A number that another writer used first is therefore detected,
// and events of this client are found in the log.

/** The largest number of events in a request, and the number of events that the service keeps. */
const [BATCH, KEPT] = [500, 512];

export class EventQueue {
  /** Unconfirmed events, oldest first: `{ event, commands, isDoubtful }`. */
  pending = [];
  /** The number of the last confirmed event. */
  sequence = 0;
  #kept = [];
  #limit = BATCH;
  /** The number of events of the last batch. */
  #sent = 0;
  /** The number from which the service needs events again; infinite if it has all. */
  #missing = Infinity;

  get isEmpty() {
    return this.pending.length === 0 && !this.hasMissing;
  }

  /** Whether the service has lost confirmed events. */
  get hasMissing() {
    return this.#missing < Infinity;
  }

  /** Returns the next batch, numbered. */
  next() {
    const again = this.#kept.filter(({ sequence }) => sequence >= this.#missing);
    const events = again.slice(0, this.#limit);
    for (const entry of this.pending.slice(0, this.#limit - events.length)) {
      events.push({ sequence: (events.at(-1)?.sequence ?? this.sequence) + 1, ...entry.event });
    }
    this.#sent = events.length;
    return events;
  }

  /** Records that the service has all events up to `sequence`. Returns the entries that are now confirmed. */
  confirm(sequence) {
    this.#missing = sequence < this.sequence ? sequence + 1 : Infinity;
    this.#limit = Math.min(BATCH, 2 * this.#limit);
    const confirmed = this.pending.splice(0, Math.max(0, sequence - this.sequence));
    for (const { event } of confirmed) this.keep({ sequence: this.sequence + 1, ...event });
    return confirmed;
  }

  /** Records the next event of the log. */
  keep(event) {
    this.sequence = event.sequence;
    this.#kept.push(event);
    if (this.#kept.length > 2 * KEPT) this.#kept.splice(0, KEPT);
  }

  /** Removes the logged event and all sent before it; returns null for another writer's event. */
  claim({ type, timestamp }) {
    const index = this.pending.findIndex(({ event }) => event.timestamp === timestamp && event.type === type);
    return index < 0 ? null : this.pending.splice(0, index + 1);
  }

  /** Goes back to `sequence`, which the service needs again; returns false if that event is no longer kept. */
  goBack(sequence) {
    const first = this.#kept.find((event) => event.sequence >= sequence);
    if (sequence > this.sequence || first?.sequence !== sequence) return false;
    this.#missing = sequence;
    return true;
  }

  /** Continues at `sequence` of another session. */
  restart(sequence = 0) {
    this.sequence = sequence;
    this.#kept = [];
    this.#missing = Infinity;
    this.#limit = BATCH;
  }

  /** Records whether the last batch may have arrived without a response. */
  doubt(isDoubtful) {
    for (const entry of isDoubtful ? this.pending.slice(0, this.#sent) : this.pending) entry.isDoubtful = isDoubtful;
  }

  /** Removes and returns the event at an index of the last batch, which may be a text. */
  drop(index) {
    const count = Math.max(0, this.sequence - this.#missing + 1);
    return this.pending.splice(index - count, index < count ? 0 : 1);
  }

  /** Removes the events that may have arrived, if the service cannot tell any more. */
  dropDoubtful() {
    const doubtful = this.pending.filter(({ isDoubtful }) => isDoubtful);
    this.pending = this.pending.filter(({ isDoubtful }) => !isDoubtful);
    return doubtful;
  }

  /** Makes batches smaller, until they are confirmed; returns false if they cannot be. */
  shrink() {
    if (this.#sent === 1) return false;
    this.#limit = Math.ceil(this.#sent / 2);
    return true;
  }
}
