// A simulation with its own time: a clock that jumps to the next event, and a network that delays, loses, repeats and
// reorders.

import { response } from '../source/testing.js';
import { generator } from './random.js';

/** Time in milliseconds, without real waiting. */
export class Clock {
  now = 0;
  #due = [];
  #count = 0;

  setTimeout = (action, delay = 0) => {
    const timer = { at: this.now + Math.max(0, delay), order: (this.#count += 1), action };
    this.#due.push(timer);
    return timer;
  };

  clearTimeout = (timer) => {
    if (timer) timer.action = null;
  };

  /** Runs the queued events in order until `isOver()`. Throws if none is left or the time runs out. */
  async run(isOver, limit = 3_600_000) {
    for (;;) {
      // Microtasks of the previous event run first.
      await new Promise(setImmediate);
      if (isOver()) return;
      this.#due = this.#due.filter(({ action }) => action);
      const isBefore = (a, b) => a.at < b.at || (a.at === b.at && a.order < b.order);
      const next = this.#due.reduce((a, b) => (isBefore(b, a) ? b : a), this.#due[0]);
      if (!next) throw new Error('nothing is left to happen');
      if (next.at > limit) throw new Error(`not over after ${limit} ms`);
      this.now = Math.max(this.now, next.at);
      const { action } = next;
      next.action = null;
      action();
    }
  }
}

/** The possible faults: shares from 0 to 1, times in milliseconds. */
export const CALM = { latency: 20, loss: 0, duplication: 0 };

/** A network to a `MockService`; `faults` may be changed at any time. */
export class Network {
  faults = CALM;
  isUp = true;
  requests = 0;
  #make;

  constructor(clock, service, seed) {
    this.clock = clock;
    this.service = service;
    this.#make = generator(seed);
  }

  /** The environment of a `Connection` in this simulation. */
  environment(seed) {
    const { clock } = this;
    return {
      fetch: (url, init) => this.#fetch(url, init),
      random: generator(seed).random,
      now: () => clock.now,
      setTimeout: clock.setTimeout,
      clearTimeout: clock.clearTimeout,
      requestFrame: (action) => clock.setTimeout(action, 16),
    };
  }

  /** The time in one direction. */
  #delay() {
    return this.#make.between(0, this.faults.latency / 2);
  }

  #fetch(url, { method, headers, body, signal }) {
    this.requests += 1;
    const { pathname, searchParams } = new URL(url, 'http://model');
    const request = { query: Object.fromEntries(searchParams), headers, body: body && JSON.parse(body) };
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('aborted')));
      const deliver = () => {
        if (!this.isUp) {
          this.clock.setTimeout(() => reject(new TypeError('connection refused')), this.#delay());
          return;
        }
        const answer = this.service.handle(method, pathname, structuredClone(request));
        if (this.#make.chance(this.faults.loss)) return;
        this.clock.setTimeout(() => resolve(response(answer)), this.#delay());
      };
      const copies = 1 + this.#make.chance(this.faults.duplication);
      // A copy may arrive much later than the original, and after other requests.
      for (let copy = 0; copy < copies; copy += 1) {
        if (this.#make.chance(this.faults.loss)) continue;
        this.clock.setTimeout(deliver, this.#delay() * (copy === 0 ? 1 : 5));
      }
    });
  }
}
