// The events of one bar on their way: those that wait for an answer, and the last ones that have had it.
//
// The service numbers the events of a bar without gaps and answers a number again when it comes again with the same
// content, so a batch that got no answer is sent again as it was. Two events of two writers never have the same
// content, because each carries a mark in its `timestamp`: so a number that another writer took first is told from one
// that is ours, and ours is found again in the log.

/** The most events of one request, and the number of events that the service keeps. */
const [BATCH, KEPT] = [500, 512];

export class EventQueue {
  /** Without an answer, oldest first: `{ event, commands, isRestoring, isDoubtful }`. */
  pending = [];
  /** The number of the last event that the service has confirmed. */
  sequence = 0;
  #kept = [];
  #limit = BATCH;
  /** The number of events of the last batch. */
  #sent = 0;
  /** The number from which the service wants events again; null when it has them all. */
  #missing = null;

  get isEmpty() {
    return this.pending.length === 0 && this.#missing === null;
  }

  /** Whether the service has lost events that it had confirmed. */
  get hasMissing() {
    return this.#missing !== null;
  }

  /** The next batch, numbered. */
  next() {
    const again = this.#missing === null ? [] : this.#kept.filter(({ sequence }) => sequence >= this.#missing);
    const events = again.slice(0, this.#limit);
    for (const entry of this.pending.slice(0, this.#limit - events.length)) {
      events.push({ sequence: (events.at(-1)?.sequence ?? this.sequence) + 1, ...entry.event });
    }
    this.#sent = events.length;
    return events;
  }

  /** Takes note that the service has everything up to `sequence`; answers the entries that this confirms. */
  confirm(sequence) {
    this.#missing = sequence < this.sequence ? sequence + 1 : null;
    const confirmed = this.pending.splice(0, Math.max(0, sequence - this.sequence));
    for (const { event } of confirmed) this.keep({ sequence: this.sequence + 1, ...event });
    return confirmed;
  }

  /** Remembers the event that comes next in the log. */
  keep(event) {
    this.sequence = event.sequence;
    this.#kept.push(event);
    if (this.#kept.length > 2 * KEPT) this.#kept.splice(0, KEPT);
  }

  /** Takes out the event that the log has, and all that were sent before it; null for another writer's event. */
  claim({ type, timestamp }) {
    const index = this.pending.findIndex(({ event }) => event.timestamp === timestamp && event.type === type);
    return index < 0 ? null : this.pending.splice(0, index + 1);
  }

  /** Goes back to `sequence`, from which on the service has forgotten; false when that is too long ago. */
  goBack(sequence) {
    const first = this.#kept.find((event) => event.sequence >= sequence);
    if (sequence > this.sequence || first?.sequence !== sequence) return false;
    this.#missing = sequence;
    return true;
  }

  /** Goes on from `sequence` of another history. */
  restart(sequence = 0) {
    this.sequence = sequence;
    this.#kept = [];
    this.#missing = null;
    this.doubt(false);
  }

  /** Takes note of whether what was sent last may have arrived all the same. */
  doubt(isDoubtful) {
    for (const entry of isDoubtful ? this.pending.slice(0, this.#sent) : this.pending) entry.isDoubtful = isDoubtful;
  }

  /** Gives up the event at an index of the batch sent last; answers it. */
  drop(index) {
    const count = this.#missing === null ? 0 : this.sequence - this.#missing + 1;
    return this.pending.splice(index - count, index < count ? 0 : 1);
  }

  /** Gives up what may have arrived, when the service cannot tell any more. */
  dropDoubtful() {
    const doubtful = this.pending.filter(({ isDoubtful }) => isDoubtful);
    this.pending = this.pending.filter(({ isDoubtful }) => !isDoubtful);
    return doubtful;
  }

  /** Sends less at a time; false when it cannot be less. */
  shrink() {
    if (this.#sent === 1) return false;
    this.#limit = Math.ceil(this.#sent / 2);
    return true;
  }
}
