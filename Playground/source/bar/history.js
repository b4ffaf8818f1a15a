// What happened in a session, event by event: what was sent, and what the service answered.

const KEPT = 512;

/** States of a pan after which the gesture is over. */
const OVER = new Set(['ended', 'cancelled', 'failed']);

export class History {
  #entries = [];
  /** The bar as it was created. */
  created = null;
  onChange = () => {};

  get entries() {
    return this.#entries;
  }

  get first() {
    return this.#entries[0]?.sequence ?? 0;
  }

  get last() {
    return this.#entries.at(-1)?.sequence ?? 0;
  }

  /** Whether every event since the creation is still here. */
  get isComplete() {
    return this.#entries.length === 0 || this.first === 1;
  }

  /** Begins anew with a bar as it was created. */
  clear(created) {
    this.created = created;
    this.#entries = [];
    this.onChange();
  }

  /** Adds the events of an answer. */
  add({ answer, events }) {
    const sent = new Map(events.map((event) => [event.sequence, event]));
    for (const result of answer.results) {
      if (result.sequence <= this.last) continue;
      this.#entries.push({ sequence: result.sequence, event: sent.get(result.sequence), result });
    }
    this.#entries.splice(0, this.#entries.length - KEPT);
    this.onChange();
  }

  /** The bar right after an event, as it was answered; 0 is the creation. */
  barAt(sequence) {
    return sequence === 0 ? this.created : this.entry(sequence)?.result;
  }

  entry(sequence) {
    return this.#entries.find((entry) => entry.sequence === sequence);
  }

  /** Where the list was after an event; null when the kept events do not tell. */
  offsetAt(sequence) {
    for (let index = this.#entries.length - 1; index >= 0; index -= 1) {
      const { sequence: number, event, result } = this.#entries[index];
      if (number > sequence) continue;
      const command = result.commands.at(-1);
      if (command) return command.y;
      if (event.type === 'contentOffset') return event.contentOffset.y;
      if (event.type === 'set') return event.scrollable.contentOffset.y;
    }
    return null;
  }

  /** The events by gesture, oldest first: `{ name, entries }`. */
  get gestures() {
    const groups = [];
    let isOpen = false;
    for (const entry of this.#entries) {
      const { type, state } = entry.event;
      const isPan = type === 'panGesture';
      const name = isPan || isOpen ? 'Drag' : (NAMES[type]?.(entry.event) ?? type);
      const last = groups.at(-1);
      const joins = last && last.name === name && (isOpen || (name === 'Glide' && type === 'contentOffset'));
      if (joins) last.entries.push(entry);
      else groups.push({ name, entries: [entry] });
      if (isPan) isOpen = !OVER.has(state);
    }
    return groups;
  }
}

const NAMES = {
  contentOffset: () => 'Glide',
  contentSize: () => 'Content grows',
  frame: () => 'Frame changes',
  expand: ({ on }) => (on ? 'Expand' : 'Collapse'),
  set: ({ scrollable }) => `List ${scrollable.id}`,
};
