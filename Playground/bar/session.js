// The client's side of a session: events are queued, sent once a frame in numbered batches, and sent again with the same
// numbers when the network fails, which the service answers as if they had come once.

import { Problem } from '../api/springbar.js';

/** After these the bar may answer with a command, and what comes next depends on it. */
const DECISIVE = new Set(['expand', 'set']);
const BATCH = 500;

export class BarSession {
  #bars;
  #queue = [];
  #isBusy = false;
  #isFrameAsked = false;
  #hasEnded = false;

  /** The session's name, which is also the right to watch it. */
  id;
  /** The number of the last event that the service has applied. */
  lastSequence;
  /** Whether answers explain themselves. */
  explains = false;

  /** Called with the service's answer and the events that it answers. */
  onAnswer = () => {};
  /** Called with an error that sending again cannot cure; the session may be gone. */
  onProblem = () => {};
  /** Called when an event has been queued, and when all that were have been answered. */
  onActivity = () => {};
  /** Called with false when the service cannot be reached, and with true when it can be again. */
  onConnection = () => {};

  /** Starts a session; `configuration` is the body of `POST /v1/bars`. */
  static async start(bars, configuration) {
    const bar = await bars.create(configuration);
    return { session: new BarSession(bars, bar), bar };
  }

  constructor(bars, bar) {
    this.#bars = bars;
    this.id = bar.id;
    this.lastSequence = bar.lastSequence;
  }

  /** Whether every event has been answered. */
  get isIdle() {
    return this.#queue.length === 0 && !this.#isBusy;
  }

  /** Queues an event; it leaves with the others of this frame. */
  send(event) {
    this.#queue.push(event);
    this.#flushNextFrame();
    this.onActivity();
  }

  /** Takes back the offsets that have not left yet: the glide that they came from did not happen. */
  dropOffsets() {
    this.#queue = this.#queue.filter((event) => event.type !== 'contentOffset');
  }

  /** Ends the session. */
  end() {
    this.#hasEnded = true;
    this.#queue = [];
    return this.#bars.end(this.id).catch(() => {});
  }

  #flushNextFrame() {
    if (this.#isFrameAsked || this.#isBusy) return;
    this.#isFrameAsked = true;
    requestAnimationFrame(() => {
      this.#isFrameAsked = false;
      this.#flush();
    });
  }

  async #flush() {
    if (this.#isBusy || this.#hasEnded || this.#queue.length === 0) return;
    this.#isBusy = true;
    const batch = this.#nextBatch();
    try {
      const bar = await this.#deliver(batch);
      this.lastSequence = bar.lastSequence;
      if (!this.#hasEnded) this.onAnswer(bar, batch);
    } catch (error) {
      if (!this.#hasEnded) this.onProblem(error);
    } finally {
      this.#isBusy = false;
      if (this.#queue.length > 0) this.#flushNextFrame();
      else this.onActivity();
    }
  }

  /** The events up to the first decisive one, numbered. */
  #nextBatch() {
    const decisive = this.#queue.findIndex(
      (event) => DECISIVE.has(event.type) || (event.type === 'panGesture' && event.state === 'ended'),
    );
    const count = Math.min(BATCH, decisive < 0 ? this.#queue.length : decisive + 1);
    return this.#queue.splice(0, count).map((event, index) => ({ sequence: this.lastSequence + 1 + index, ...event }));
  }

  /** Sends until there is an answer. The numbers make it safe: what had arrived is answered again, not applied again. */
  async #deliver(batch) {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const bar = await this.#bars.post(this.id, batch, { results: 'all', explain: this.explains || undefined });
        if (attempt > 0) this.onConnection(true);
        return bar;
      } catch (error) {
        if (error instanceof Problem && error.retryAfter === null) throw error;
        this.onConnection(false);
        const wait = error.retryAfter ? error.retryAfter * 1000 : Math.min(4000, 250 * 2 ** attempt);
        await new Promise((resolve) => setTimeout(resolve, wait));
        if (this.#hasEnded) throw error;
      }
    }
  }
}
