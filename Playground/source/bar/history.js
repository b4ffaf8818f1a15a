// The history of a session: each event as it was sent, with the service's response.

const KEPT = 512;

/** States of a pan that end the gesture. */
const OVER = new Set(['ended', 'cancelled', 'failed']);

export class History {
  #entries = [];
  #body = null;
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

  /** The body of the creation, with all events since then; null if not all are kept. */
  get replay() {
    if (this.#body === null || this.first !== 1) return null;
    return { ...this.#body, events: this.#entries.map(({ event: { sequence, ...event } }) => event) };
  }

  /** Starts again with a bar after its creation with `body`; null for a bar that goes on in another session. */
  clear(created, body = null) {
    this.created = created;
    this.#body = body;
    this.#entries = [];
    this.onChange();
  }

  /** Adds the events of a response. */
  add({ answer, events }) {
    const sent = new Map(events.map((event) => [event.sequence, event]));
    for (const result of answer.results) {
      if (result.sequence <= this.last) continue;
      this.#entries.push({ sequence: result.sequence, event: sent.get(result.sequence), result });
    }
    this.#entries.splice(0, this.#entries.length - KEPT);
    this.onChange();
  }

  /** Returns the bar after an event, from its response; 0 is the creation. */
  barAt(sequence) {
    return sequence === 0 ? this.created : this.entry(sequence)?.result;
  }

  entry(sequence) {
    return this.#entries.find((entry) => entry.sequence === sequence);
  }

  /** Returns the y offset of the list after an event; null if the kept events do not contain it. */
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

  /** Returns the events by gesture, oldest first: `{ name, entries }`. */
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
