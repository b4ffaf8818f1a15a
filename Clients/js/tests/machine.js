// Runs the cases of Tests/Vectors/session.json with the client: a bar whose network, clock and pauses are the inputs.

import assert from 'node:assert/strict';

import { Bar } from '../source/bar.js';
import { Connection } from '../source/connection.js';
import { response } from '../source/testing.js';
import { plain } from './world.js';

/** The time limits of an answer and of a stream, and the longest frame, in milliseconds; other timers are pauses. */
const LIMITS = [10_000, 45_000, 100];
const rounded = (seconds) => Math.round(seconds * 1000) / 1000;

/** A session, and what it does. `share` is the random part of its pauses, from 0 to 1. */
export class Machine {
  #pauses = [];
  #answers = [];
  #keys = [];
  #marks = new Map();
  #done = [];
  #fault = null;

  constructor({ body, id = null, queueLimit }, share = 0) {
    let [now, random] = [0, 0.999 * share];
    const environment = {
      fetch: (url, init) => this.#fetch(url, init),
      now: () => (now += 1),
      // Different each time, for keys.
      random: () => (random += 1e-6),
      setTimeout: (action, milliseconds) => {
        const timer = { action, seconds: milliseconds / 1000 };
        if (!LIMITS.includes(milliseconds)) this.#pauses.push(timer);
        return timer;
      },
      clearTimeout: (timer) => (this.#pauses = this.#pauses.filter((one) => one !== timer)),
      requestFrame: (action) => (queueMicrotask(action), 1),
    };
    this.bar = new Bar(new Connection({ base: '', environment }), body, { id, queueLimit });
    const report = (name, of) => this.bar.on(name, (detail) => this.#done.push({ [name]: of(detail) }));
    report('correction', ({ from, to }) => ({ from, to }));
    report('confirm', ({ first, last }) => [first, last]);
    report('session', ({ id: created }) => created);
    report('problem', ({ problem: { code }, events }) => ({ code, events: events.length }));
    this.bar.on('change', ({ commands }) => {
      if (commands.length) this.#done.push({ commands: commands.map(({ y, animated }) => ({ y, animated })) });
    });
  }

  /** Gives an input, and returns what follows from it: requests, reports, a pause, and the shown bar. */
  async give(input) {
    const { bar } = this;
    const [[name, value]] = Object.entries(input);
    const inputs = {
      start() {},
      send: () => value.forEach((event) => bar.send(event)),
      refused: () => assert.throws(() => bar.send(value)),
      setTracks: () => bar.setTracks(value),
      // null: no response.
      answer: () => this.#answers.shift()(value && this.#marked(value)),
      pauseEnds: () => this.#pauses.shift().action(),
      retry: () => bar.retry(),
      sync: () => void bar.sync().catch(() => {}),
      end: () => void bar.end().catch(({ code }) => this.#done.push({ endFails: code })),
      follow: () => void bar.follow(),
    };
    inputs[name]();
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    const done = this.#done.splice(0);
    const pauses = this.#pauses.map(({ seconds }) => rounded(seconds));
    const { state, scrollable, values } = bar;
    const shown = {
      height: state.height, isExpandedStateAvailable: state.isExpandedStateAvailable,
      contentInsetTop: scrollable.contentInset.top, values, pending: bar.pendingEvents.length,
      lastSequence: bar.lastSequence, connection: bar.connection.state,
    };
    return plain({ does: done, pauses, shown });
  }

  #fetch(url, { method, headers, body, signal }) {
    const { pathname, searchParams } = new URL(url, 'http://service');
    const request = { method, path: pathname };
    if (searchParams.size ?? [...searchParams].length) request.query = Object.fromEntries(searchParams);
    const key = headers['Idempotency-Key'];
    if (key && !this.#keys.includes(key)) this.#keys.push(key);
    if (key) request.key = this.#keys.indexOf(key) + 1;
    if (headers['If-Match']) request.ifMatch = headers['If-Match'];
    if (body) request.body = this.#numbered(JSON.parse(body));
    this.#done.push({ request });
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
      this.#answers.push((answer) => {
        if (!answer) return reject(new TypeError('no response'));
        resolve(answer.stream ? stream(answer.stream) : response(answer));
      });
    });
  }

  /** Replaces the marks of events by their numbers, in the order of the events. */
  #numbered(body) {
    if (!body.events) return body;
    const numbered = ({ timestamp, ...event }) => {
      if (!this.#marks.has(timestamp)) this.#marks.set(timestamp, this.#marks.size + 1);
      return { ...event, mark: this.#marks.get(timestamp) };
    };
    return { events: body.events.map(numbered) };
  }

  /** Replaces the numbers of marks by the marks. */
  #marked(answer) {
    const marks = new Map(Array.from(this.#marks, ([timestamp, mark]) => [mark, timestamp]));
    const marked = ({ mark, ...event }) => (mark ? { ...event, timestamp: marks.get(mark) } : event);
    const { body } = answer;
    return body?.events ? { ...answer, body: { ...body, events: body.events.map(marked) } } : answer;
  }
}

/** Runs a case of session.json with a client; throws at the first difference. */
export async function play(Client, body, { steps, ...settings }) {
  const machine = new Client({ body, ...settings }, 0.5);
  for (const [index, { input, does, shown, pauses = [] }] of steps.entries()) {
    const result = await machine.give(input);
    assert.deepEqual([result.does, result.shown, result.pauses.length], [does, shown, pauses.length], `step ${index}`);
    pauses.forEach(([least, most], place) => {
      assert.ok(result.pauses[place] >= least && result.pauses[place] <= most, `step ${index}`);
    });
  }
}

/** Returns an open stream of the service with a revision. */
function stream({ revision }) {
  const text = `event: state\nid: ${revision}\ndata: {"revision":${revision}}\n\n`;
  const body = new ReadableStream({ start: (source) => source.enqueue(new TextEncoder().encode(text)) });
  return { ok: true, status: 200, headers: new Headers({ 'Content-Type': 'text/event-stream' }), body };
}
