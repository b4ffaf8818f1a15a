// What happened in a session, event by event: what was sent, and what the service made of it.

const KEPT = 512;

export class History {
  #entries = [];
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

  /** Forgets everything: another session began. */
  clear() {
    this.#entries = [];
    this.onChange();
  }

  /** Adds the events of an answer; `milliseconds` is how long it took. */
  add(bar, batch, milliseconds) {
    const events = new Map(batch.map((event) => [event.sequence, event]));
    for (const result of bar.results) {
      if (result.sequence <= this.last) continue;
      this.#entries.push({ sequence: result.sequence, event: events.get(result.sequence), result, milliseconds });
    }
    this.#entries.splice(0, this.#entries.length - KEPT);
    this.onChange();
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
}
