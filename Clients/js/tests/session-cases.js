// The cases of Tests/Vectors/session.json: what an app and a service do. `node session-cases.js` runs each with the client
// and with MockService, and prints the file: the inputs, with the answers of the service, and what the client does. The
// rules are those of docs/rules.md, part 2; each case names its rules.

import { BarLayout } from '../source/bar-layout.js';
import { MockService } from '../source/testing.js';
import { Machine } from './machine.js';
import { at, BODY, plain, TRACKS } from './world.js';

const expand = { type: 'expand', on: true };
const unavailable = { status: 503, body: { type: '/problems/overloaded' } };

/** A service that answers the requests of one machine, and its other writers. */
class World {
  steps = [];
  #service = new MockService();
  #waiting = [];
  #ids = [];

  constructor(settings, share) {
    this.machine = new Machine({ body: BODY, ...settings }, share);
  }

  async give(input) {
    const result = await this.machine.give(input);
    for (const { request } of result.does) if (request) this.#waiting.push(request);
    this.steps.push({ input, ...result });
    return this;
  }

  /** Lets the service answer the oldest request; with `isLost`, the client gets no response. */
  async answer({ isLost = false } = {}) {
    return this.change((answer) => (isLost ? null : answer));
  }

  /** Lets the service answer the oldest request, and changes its answer, which arrives after `meanwhile`. */
  async change(change, meanwhile = () => {}) {
    const answer = change(this.#handle(this.#waiting.shift()));
    await meanwhile();
    return this.give({ answer });
  }

  /** Answers the oldest request without the service. */
  async refuse(answer) {
    this.#waiting.shift();
    return this.give({ answer });
  }

  async lose() {
    return this.refuse(null);
  }

  #handle({ method, path, query, key, ifMatch, body }) {
    const headers = { 'Idempotency-Key': key && `key ${key}`, 'If-Match': ifMatch };
    const real = path.replace(/bar-\d+/, (id) => this.#ids[Number(id.slice(4)) - 1] ?? id);
    // The service keeps the marks as times.
    const events = body?.events?.map(({ mark, ...event }) => ({ ...event, timestamp: mark }));
    const answer = this.#service.handle(method, real, { query, headers, body: events ? { events } : body });
    return this.#named(plain(answer));
  }

  /** Sends an event or tracks of another writer. */
  other(event, tracks) {
    const [id] = this.#service.bars.keys();
    const [path, headers] = [`/v1/bars/${id}`, { 'If-Match': `"${this.#service.bars.get(id).revision}"` }];
    if (tracks) this.#service.handle('PUT', `${path}/tracks`, { headers, body: tracks });
    else this.#service.handle('POST', `${path}/events`, { body: { events: [event] } });
  }

  /** Lets the service forget the events after a number, as a store that is restored does. */
  forget(after) {
    const [bar] = this.#service.bars.values();
    const log = bar.log.filter(({ sequence }) => sequence <= after);
    bar.layout = new BarLayout(BODY);
    for (const { event } of log) bar.layout.apply(event);
    Object.assign(bar, { log, lastSequence: after, revision: after });
  }

  keep(count) {
    this.#service.kept = count;
  }

  kill() {
    this.#service.kill();
  }

  /** The service's ids are numbered, and the marks of events in a log are those of the machine. */
  #named({ status, body, retryAfter }) {
    if (body?.id && !this.#ids.includes(body.id)) this.#ids.push(body.id);
    const copy = body && { ...body };
    if (body?.id) copy.id = `bar-${this.#ids.indexOf(body.id) + 1}`;
    if (body?.events) copy.events = body.events.map(({ timestamp: mark, ...event }) => ({ ...event, mark }));
    return { status, ...(body && { body: copy }), ...(retryAfter && { retryAfter }) };
  }
}

/** A session with one confirmed event, at the beginning of the list. */
async function begun(world) {
  await world.give({ start: null });
  await world.answer();
  await world.give({ send: [at(-200)] });
  await world.answer();
}

const cases = [
  ['An event is shown at once; the session is created, then events are sent in order', 'S1 S2 S4', {}, async (world) => {
    await world.give({ start: null });
    await world.give({ send: [at(-200), at(-150)] });
    await world.answer();
    await world.answer();
  }],
  ['A creation without a response is repeated with its key', 'S2 S5', {}, async (world) => {
    await world.give({ start: null });
    await world.answer({ isLost: true });
    await world.give({ pauseEnds: null });
    await world.answer();
  }],
  ['One request is in flight at a time; events meanwhile are the next batch', 'S3 S4', {}, async (world) => {
    await begun(world);
    await world.give({ send: [at(-190)] });
    await world.give({ send: [at(-180), at(-170)] });
    await world.answer();
    await world.answer();
  }],
  ['A batch without a response is sent again with its numbers, after pauses that double', 'S5 S6', {}, async (world) => {
    await begun(world);
    await world.give({ send: [at(-190)] });
    await world.answer({ isLost: true });
    await world.give({ pauseEnds: null });
    await world.lose();
    await world.give({ send: [at(-180)] });
    await world.give({ pauseEnds: null });
    await world.answer();
  }],
  ["A success that is not the service's is no answer", 'S5', {}, async (world) => {
    await world.give({ start: null });
    await world.refuse({ status: 200, body: { ok: true } });
    await world.give({ pauseEnds: null });
    await world.answer();
    await world.give({ send: [at(-190)] });
    await world.refuse({ status: 204 });
    await world.give({ pauseEnds: null });
    await world.answer();
  }],
  ["A server error that is not the service's is no answer", 'S5', {}, async (world) => {
    await begun(world);
    await world.give({ send: [at(-190)] });
    await world.refuse({ status: 520 });
    await world.give({ pauseEnds: null });
    await world.refuse({ status: 511, body: { success: false } });
    await world.give({ pauseEnds: null });
    await world.answer();
  }],
  ['Retry-After is obeyed, and retry() ends a pause', 'S6', {}, async (world) => {
    await begun(world);
    await world.give({ send: [at(-190)] });
    await world.refuse({ ...unavailable, retryAfter: '2' });
    await world.give({ retry: null });
    await world.answer();
  }],
  ['Pauses grow, too, if Retry-After is shorter', 'S6', {}, async (world) => {
    await begun(world);
    await world.give({ send: [at(-190)] });
    for (let count = 0; count < 3; count += 1) {
      await world.refuse({ ...unavailable, retryAfter: '0' });
      await world.give({ pauseEnds: null });
    }
    await world.answer();
  }],
  ['A number of another writer is found in the log; the rest is numbered again', 'S9', {}, async (world) => {
    await begun(world);
    world.other(expand);
    await world.give({ send: [at(-290)] });
    await world.answer();
    await world.answer();
    await world.answer();
  }],
  ['An equal event of another writer is not an own one', 'S9', {}, async (world) => {
    await begun(world);
    world.other(at(-180));
    await world.give({ send: [at(-170)] });
    await world.answer();
    await world.answer();
    await world.answer();
  }],
  ['Tracks of another writer between two events are read from the log', 'S9', {}, async (world) => {
    await begun(world);
    world.other(null, TRACKS);
    await world.give({ send: [at(-150)] });
    await world.answer();
    await world.answer();
  }],
  ['A track that another writer removes is not shown any more', 'S9', {}, async (world) => {
    await begun(world);
    await world.give({ setTracks: TRACKS });
    await world.answer();
    world.other(null, { alpha: null });
    await world.give({ sync: null });
    await world.answer();
  }],
  ['A service that has lost confirmed events gets them again, and nothing is confirmed twice', 'S10', {}, async (world) => {
    await begun(world);
    await world.give({ send: [at(-190), at(-180)] });
    await world.answer();
    world.forget(1);
    await world.give({ send: [at(-170)] });
    await world.answer();
    await world.answer();
  }],
  ['If the log does not reach back, the state after its end is adopted', 'S11', {}, async (world) => {
    await begun(world);
    world.keep(4);
    for (let y = -190; y < -150; y += 5) world.other(at(y));
    await world.give({ send: [at(-120)] });
    await world.answer();
    await world.answer();
    await world.answer();
    await world.answer();
  }],
  ['Of a session that has ended, a new one goes on from the confirmed bar', 'S12', {}, async (world) => {
    await begun(world);
    await world.give({ send: [at(-150)] });
    await world.answer();
    world.kill();
    await world.give({ send: [at(-140)] });
    await world.answer();
    await world.answer();
    await world.answer();
  }],
  ['A stream that is 404 ends the session, too', 'S8 S12', {}, async (world) => {
    await begun(world);
    await world.give({ follow: null });
    world.kill();
    await world.refuse({ status: 404, body: { type: '/problems/bar-not-found' } });
    await world.answer();
    await world.answer();
  }],
  ['A newer revision of the stream is read from the log, and an own one is not', 'S8', {}, async (world) => {
    await begun(world);
    await world.give({ follow: null });
    await world.refuse({ stream: { revision: 1 } });
    world.other(expand);
    await world.give({ sync: null });
    await world.answer();
  }],
  ['A page of the log that failed is read again, and the pages before it are not', 'S9', {}, async (world) => {
    await begun(world);
    for (const y of [-150, -140, -130]) world.other(at(y));
    await world.give({ sync: null });
    await world.change(({ body }) => ({ status: 200, body: { events: body.events.slice(0, 2), hasMore: true } }));
    await world.refuse(unavailable);
    await world.give({ pauseEnds: null });
    await world.answer();
  }],
  ['What is written before sync() is read, also while the log is read', 'S9', {}, async (world) => {
    await begun(world);
    world.other(at(-150));
    await world.give({ sync: null });
    // The log is answered, then there is another event, and then the answer arrives.
    await world.change((answer) => answer, async () => {
      world.other(at(-140));
      await world.give({ sync: null });
    });
    await world.answer();
  }],
  ['A page of the log without a new number is the last one', 'S9', {}, async (world) => {
    await begun(world);
    await world.give({ sync: null });
    await world.change(() => ({ status: 200, body: { events: [], hasMore: true } }));
  }],
  ['Too large a batch is halved; a refused event is dropped and reported', 'S13', {}, async (world) => {
    await begun(world);
    await world.give({ send: [at(-190), at(-180), at(-170)] });
    await world.refuse({ status: 413, body: { type: '/problems/content-too-large' } });
    const errors = [{ pointer: '/events/1/contentOffset/y' }];
    await world.refuse({ status: 422, body: { type: '/problems/out-of-range', errors } });
    await world.give({ pauseEnds: null });
    await world.answer();
  }],
  ['Confirmed batches double again, up to the usual size', 'S13', {}, async (world) => {
    await begun(world);
    await world.give({ send: [at(-190), at(-180), at(-170), at(-160), at(-150)] });
    await world.refuse({ status: 413, body: { type: '/problems/content-too-large' } });
    await world.answer();
    await world.answer();
    await world.give({ send: [at(-145), at(-140), at(-135), at(-130)] });
    await world.answer();
  }],
  ['A session that is made anew begins with the usual size', 'S13', {}, async (world) => {
    await begun(world);
    await world.give({ send: [at(-190), at(-180), at(-170), at(-160), at(-150)] });
    await world.refuse({ status: 413, body: { type: '/problems/content-too-large' } });
    world.kill();
    await world.answer();
    await world.give({ pauseEnds: null });
    await world.answer();
    await world.answer();
  }],
  ['Only a batch is halved: tracks that are too large are dropped, and a creation stops the session', 'S13', {}, async (world) => {
    await begun(world);
    await world.give({ send: [at(-190), at(-180), at(-170)] });
    await world.answer();
    await world.give({ setTracks: TRACKS });
    await world.refuse({ status: 413, body: { type: '/problems/content-too-large' } });
    await world.give({ send: [at(-160), at(-150)] });
    await world.answer();
    await world.give({ send: [at(-140)] });
    await world.refuse({ status: 404, body: { type: '/problems/bar-not-found' } });
    await world.refuse({ status: 413, body: { type: '/problems/content-too-large' } });
    await world.give({ retry: null });
    await world.answer();
    await world.answer();
  }],
  ['Another problem stops the session until retry()', 'S13', {}, async (world) => {
    await begun(world);
    await world.give({ send: [at(-190)] });
    await world.refuse({ status: 401, body: { type: '/problems/unauthorized' } });
    await world.give({ send: [at(-180)] });
    await world.give({ retry: null });
    await world.answer();
  }],
  ['Tracks are set at once, and sent with the revision; 412 reads the log first', 'S7', {}, async (world) => {
    await begun(world);
    world.other(at(-150));
    await world.give({ setTracks: TRACKS });
    await world.answer();
    await world.answer();
    await world.answer();
  }],
  ['Tracks are sent before the events that wait', 'S3 S7', {}, async (world) => {
    await begun(world);
    await world.give({ send: [at(-190)] });
    await world.give({ setTracks: TRACKS });
    await world.give({ send: [at(-150)] });
    await world.answer();
    await world.answer();
    await world.answer();
  }],
  ['Events that may have arrived are reported if the log cannot tell', 'S5 S11', {}, async (world) => {
    await begun(world);
    world.keep(4);
    await world.give({ send: [at(-190), at(-180)] });
    await world.answer({ isLost: true });
    await world.give({ send: [at(-120)] });
    for (let y = -175; y < -140; y += 5) world.other(at(y));
    await world.give({ pauseEnds: null });
    for (let count = 0; count < 4; count += 1) await world.answer();
  }],
  ['Events that may have arrived are reported, too, if the log that tracks need begins too late', 'S11', {}, async (world) => {
    await begun(world);
    world.keep(4);
    await world.give({ send: [at(-190), at(-180)] });
    await world.answer({ isLost: true });
    for (let y = -175; y < -140; y += 5) world.other(at(y));
    await world.give({ setTracks: TRACKS });
    await world.give({ pauseEnds: null });
    for (let count = 0; count < 4; count += 1) await world.answer();
  }],
  ['Events that may have arrived after the log are reported if the state after it is gone', 'S11', {}, async (world) => {
    await begun(world);
    world.keep(4);
    await world.give({ send: [expand] });
    await world.lose();
    world.other(at(-190));
    await world.give({ setTracks: TRACKS });
    await world.give({ pauseEnds: null });
    await world.answer();
    // This client does not know the view of an event in the log, so that it needs the state, which others make too old.
    await world.change(({ body }) => {
      return { status: 200, body: { ...body, events: [{ ...body.events[0], scrollableId: 'other' }] } };
    });
    for (let y = -175; y < -140; y += 5) world.other(at(y));
    for (let count = 0; count < 3; count += 1) await world.answer();
  }],
  ['A request has at most 256 changes of tracks, removals first', 'S7', {}, async (world) => {
    await begun(world);
    await world.give({ send: [at(-190)] });
    await world.give({ setTracks: TRACKS });
    const removals = (letter) => Object.fromEntries(Array.from({ length: 128 }, (_, index) => [letter + index, null]));
    await world.give({ setTracks: { ...removals('a'), ...removals('b') } });
    await world.answer();
    await world.answer();
    await world.answer();
  }],
  ['An event that is refused while the queue is full changes nothing', 'S16', { queueLimit: 2 }, async (world) => {
    await begun(world);
    await world.give({ send: [at(-190), at(-180)] });
    await world.give({ refused: { ...expand, scrollableId: 'other' } });
    await world.answer();
  }],
  ['After an event of a type that this client does not know, the state is adopted', 'S11', {}, async (world) => {
    await begun(world);
    world.other(expand);
    await world.give({ sync: null });
    await world.change(({ body }) => {
      const { on, ...event } = body.events[0];
      return { status: 200, body: { ...body, events: [{ ...event, type: 'rotate', angle: 90 }] } };
    });
    await world.answer();
    await world.give({ send: [at(-290)] });
    await world.answer();
  }],
  ['A creation that is refused after tracks stops the session', 'S13', {}, async (world) => {
    await begun(world);
    await world.give({ setTracks: TRACKS });
    await world.refuse({ status: 404, body: { type: '/problems/bar-not-found' } });
    await world.refuse({ status: 422, body: { type: '/problems/invalid-content' } });
    await world.give({ retry: null });
    await world.answer();
  }],
  ['An event with the mark of an own one, but of another type, is another writer\'s', 'S9', {}, async (world) => {
    await begun(world);
    world.other(expand);
    await world.give({ send: [at(-290)] });
    await world.answer();
    await world.change(({ body }) => ({ status: 200, body: { ...body, events: [{ ...body.events[0], mark: 2 }] } }));
    await world.answer();
  }],
  ['A different bar of the service is adopted; more than half a point is a correction', 'S14', {}, async (world) => {
    await begun(world);
    await world.give({ send: [at(-150)] });
    const withHeight = (height) => (answer) => {
      Object.assign(answer.body.state, { offset: -height, height });
      return answer;
    };
    await world.change(withHeight(150.25));
    await world.give({ send: [at(-140)] });
    await world.change(withHeight(120));
  }],
  ['A refused key makes another one', 'S2', {}, async (world) => {
    await world.give({ start: null });
    await world.refuse({ status: 422, body: { type: '/problems/idempotency-key-reused' } });
    await world.answer();
  }],
  ['After the end, events and tracks are only applied', 'S15', {}, async (world) => {
    await begun(world);
    await world.give({ send: [at(-190)] });
    await world.give({ setTracks: TRACKS });
    await world.give({ end: null });
    await world.give({ send: [at(-150)] });
    await world.give({ setTracks: { beta: { keyframes: [{ progress: 0, value: 3 }] } } });
  }],
  ['A session that ends while it is created is deleted', 'S15', {}, async (world) => {
    await world.give({ start: null });
    await world.give({ end: null });
    await world.answer();
    await world.answer();
  }],
  ['At the end, a creation whose response was lost is sent again with its key, and deleted', 'S15', {}, async (world) => {
    await world.give({ start: null });
    await world.answer({ isLost: true });
    await world.give({ end: null });
    await world.answer();
    await world.answer();
  }],
  ['An answer to a session whose queue is full is not adopted, and the session is deleted', 'S16', { queueLimit: 2 }, async (world) => {
    await begun(world);
    await world.give({ send: [at(-190)] });
    await world.give({ send: [at(-180), at(-170), at(-160)] });
    await world.answer();
    await world.answer();
    await world.answer();
  }],
  ['A session is deleted, too, whose queue is full before it is created', 'S16', { queueLimit: 2 }, async (world) => {
    await world.give({ start: null });
    await world.give({ send: [at(-190), at(-180), at(-170)] });
    await world.answer();
    await world.lose();
    await world.answer();
  }],
  ['A full queue is replaced by a session from the shown bar', 'S16', { queueLimit: 2 }, async (world) => {
    await begun(world);
    await world.give({ send: [at(-190)] });
    await world.give({ send: [at(-180), at(-170), at(-160)] });
    await world.lose();
    await world.give({ pauseEnds: null });
    await world.answer();
    await world.answer();
    await world.give({ send: [at(-150)] });
    await world.answer();
  }],
];

/** Runs a case with both extremes of the random parts, and returns its vector. */
async function record([name, rules, settings, run]) {
  const [least, most] = [new World(settings, 0), new World(settings, 1)];
  await run(least);
  await run(most);
  const steps = least.steps.map(({ pauses, ...step }, index) => {
    const range = pauses.map((seconds, place) => [seconds, Math.round(most.steps[index].pauses[place] * 100) / 100]);
    return range.length ? { ...step, pauses: range } : step;
  });
  return { name, rules, ...settings, steps };
}

/** Returns the content of the file. */
export async function vectors() {
  const problems = {
    transient: [
      ...[0, 408, 425, 429, 500, 502, 503, 504].map((status) => ({ status })),
      { status: 409, code: 'busy', retryAfter: 1 }, { status: 507, code: 'unreadable' }, { status: 520, code: 'unreadable' }, { code: 'unreachable' }, { code: 'timeout' },
    ],
    final: [
      ...[400, 401, 403, 404, 409, 410, 412, 413, 422, 428, 501].map((status) => ({ status })),
      { code: 'queue-full' }, { code: 'ended' }, { status: 404, code: 'unreadable' }, { status: 507, code: 'other' },
    ],
  };
  const note = 'Made by Clients/js/tests/session-cases.js. Each step has an input, and what follows from it at once: '
    + 'requests and reports in order, the shortest and the longest pause in seconds, and the shown bar. A frame passes at '
    + 'once. The service knows events by their numbers; `mark` is the number of the client\'s own mark (`timestamp`), and '
    + '`key` that of its idempotency key, in the order of their first use. Contents of requests are equal with their defaults. '
    + '`rules` are those of docs/rules.md.';
  const made = [];
  for (const one of cases) made.push(await record(one));
  return { suite: 'bar.session', version: 1, note, body: BODY, problems, cases: made };
}

/** Returns the text of the file: a line a step. */
export function text({ cases: all, ...rest }) {
  const lines = all.map(({ steps, ...head }) => {
    const list = steps.map((step) => JSON.stringify(step)).join(',\n');
    return `${JSON.stringify(head).slice(0, -1)},"steps":[\n${list}]}`;
  });
  return `${JSON.stringify(rest).slice(0, -1)},"cases":[\n${lines.join(',\n')}\n]}\n`;
}

if (process.argv[1] === new URL(import.meta.url).pathname) process.stdout.write(text(await vectors()));
