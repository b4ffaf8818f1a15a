// A service in memory for the tests of an app: a model of `/v1/bars` with the rules of `Sources/SpringbarService/Bars`
// (numbers, replays, the log and its limit), and answers that the test gives.

import { BarLayout } from './bar-layout.js';

/** The number of bars of all services, so that no two have the same id. */
let count = 0;

class Refusal extends Error {
  constructor(status, code, members = {}) {
    super(code);
    this.answer = { status, body: { type: `/problems/${code}`, title: code, status, ...members } };
  }
}

export class MockService {
  /** The requests so far: `{ method, path, query, headers, body }`. */
  requests = [];
  /** Whether the service can be reached. */
  isUp = true;
  #answers = [];
  bars = new Map();
  /** The largest number of events that are kept of a bar. */
  kept = 512;
  #keys = new Map();
  /** Every event that was applied: `{ id, sequence, event }`. */
  applied = [];

  /** The environment of a client of this service: `new Springbar({ environment: service.environment })`. */
  get environment() {
    return { fetch: (url, init) => this.#fetch(url, init) };
  }

  /**
   * Answers requests of a method to a path, or to those that a regular expression matches. `answer` is JSON, or a
   * function of the request that returns `{ status, body, retryAfter }` or, for another answer, undefined. The last one
   * wins.
   */
  on(method, path, answer) {
    const matches = (other) => (path instanceof RegExp ? path.test(other) : path === other);
    this.#answers.unshift((request) => {
      if (request.method !== method || !matches(request.path)) return undefined;
      return typeof answer === 'function' ? answer(request) : { status: 200, body: answer };
    });
  }

  /** Loses everything, as a killed process does. */
  kill() {
    this.bars.clear();
    this.#keys.clear();
  }

  /** Returns `{ status, body, retryAfter }` for a request. */
  handle(method, path, { query = {}, headers = {}, body } = {}) {
    try {
      return this.#route(method, path.split('/').slice(2), query, headers, body);
    } catch (refusal) {
      if (refusal instanceof Refusal) return refusal.answer;
      if (refusal.name === 'Problem') return new Refusal(refusal.status, refusal.code, refusal.body).answer;
      throw refusal;
    }
  }

  async #fetch(url, { method = 'GET', headers = {}, body } = {}) {
    const { pathname: path, searchParams } = new URL(url, 'http://service');
    const request = { method, path, query: Object.fromEntries(searchParams), headers, body: body && JSON.parse(body) };
    this.requests.push(request);
    // An answer takes at least a turn of the event loop, as a real one does.
    await new Promise((resolve) => setTimeout(resolve));
    if (!this.isUp) throw new TypeError('The service is down.');
    const own = this.#answers.map((answer) => answer(request)).find((answer) => answer !== undefined);
    return response(own ?? this.handle(method, path, request));
  }

  #route(method, [resource, id, part], query, headers, body) {
    if (resource !== 'bars') throw new Refusal(404, 'not-found');
    if (id === undefined) return this.#create(body, headers['Idempotency-Key']);
    const bar = this.bars.get(id);
    if (!bar) throw new Refusal(404, 'bar-not-found');
    if (method === 'DELETE') return this.bars.delete(id) && { status: 204 };
    if (part === undefined) return { status: 200, body: { ...this.#answer(bar), snapshot: bar.layout.snapshot } };
    if (part === 'tracks') return this.#putTracks(bar, body, headers['If-Match']);
    if (part === 'states') return { status: 200, body: this.#state(bar, Number(query.at)) };
    if (method === 'GET') return { status: 200, body: page(bar, Number(query.after), Number(query.limit)) };
    return { status: 200, body: this.#post(bar, body.events) };
  }

  #create(body, key) {
    const text = JSON.stringify(body);
    const earlier = this.#keys.get(key);
    if (earlier && this.bars.has(earlier.id)) {
      if (earlier.text !== text) throw new Refusal(422, 'idempotency-key-reused');
      return { status: 201, body: earlier.answer };
    }
    const id = `bar-${(count += 1)}`;
    const layout = new BarLayout(JSON.parse(text));
    const bar = { id, layout, log: [], revision: 0, lastSequence: 0, created: view(layout) };
    this.bars.set(id, bar);
    const answer = this.#answer(bar, layout.created.commands);
    if (key) this.#keys.set(key, { id, text, answer });
    return { status: 201, body: answer };
  }

  #post(bar, events) {
    const layout = new BarLayout(bar.layout);
    const added = [];
    let [last, revision] = [bar.lastSequence, bar.revision];
    const commands = [];
    let replayed = null;
    const first = bar.log.find(({ event }) => event)?.sequence;
    events.forEach(({ sequence = last + 1, ...event }, index) => {
      const pointer = `/events/${index}/sequence`;
      if (sequence <= bar.lastSequence) {
        if (sequence < first) throw new Refusal(410, 'sequence-trimmed', { firstSequence: first });
        const entry = bar.log.find((one) => one.event && one.sequence === sequence);
        if (JSON.stringify(entry.event) !== JSON.stringify(event)) {
          throw new Refusal(409, 'sequence-reused', { errors: [{ pointer }] });
        }
        replayed = entry;
        commands.push(...entry.commands);
        return;
      }
      if (sequence !== last + 1) {
        throw new Refusal(409, 'sequence-gap', { expectedSequence: last + 1, errors: [{ pointer }] });
      }
      let outcome;
      try {
        outcome = layout.apply(event);
      } catch (problem) {
        if (problem.code !== 'scrollable-mismatch') throw problem;
        throw new Refusal(409, problem.code, { errors: [{ pointer: `/events/${index}/scrollableId` }] });
      }
      [last, revision] = [sequence, revision + 1];
      commands.push(...outcome.commands);
      added.push({ sequence, revision, event, commands: outcome.commands, view: view(layout) });
    });
    if (added.length === 0 && replayed) {
      const { revision: then, sequence: lastSequence } = replayed;
      return { id: bar.id, revision: then, lastSequence, ...replayed.view.look, commands, replayed: true };
    }
    bar.layout = layout;
    bar.log.push(...added);
    for (const { sequence, event } of added) this.applied.push({ id: bar.id, sequence, event });
    while (bar.log.length > this.kept) bar.log.splice(0, Math.ceil(this.kept / 4));
    [bar.lastSequence, bar.revision] = [last, revision];
    return this.#answer(bar, commands);
  }

  #putTracks(bar, changes, condition) {
    if (condition === undefined) throw new Refusal(428, 'precondition-required');
    if (condition !== `"${bar.revision}"`) throw new Refusal(412, 'precondition-failed');
    bar.layout.setTracks(changes);
    bar.revision += 1;
    bar.log.push({ sequence: bar.lastSequence, revision: bar.revision, tracks: changes });
    return { status: 200, body: this.#answer(bar) };
  }

  #state(bar, at) {
    const entry = bar.log.find(({ event, sequence }) => event && sequence === at);
    const isThere = at === 0 ? (bar.log[0]?.sequence ?? 0) <= 1 : entry !== undefined;
    if (!isThere) throw new Refusal(410, 'sequence-trimmed');
    const { look, snapshot } = entry?.view ?? bar.created;
    return { id: bar.id, lastSequence: at, revision: entry?.revision ?? 0, ...look, snapshot };
  }

  #answer({ id, revision, lastSequence, layout }, commands = []) {
    return { id, revision, lastSequence, ...look(layout), commands };
  }
}

const look = ({ state, scrollable, values }) => ({ state, scrollable, values });
const view = (layout) => ({ look: look(layout), snapshot: layout.snapshot });

/** Returns the events after a number, with the changes of tracks between them. */
function page(bar, after, limit) {
  const begin = Math.max(after, (bar.log.find(({ event }) => event)?.sequence ?? 1) - 1);
  const events = [];
  let [count, trailing] = [0, []];
  for (const entry of bar.log) {
    if (entry.sequence < begin) continue;
    if (entry.tracks) trailing.push({ type: 'tracks', revision: entry.revision, tracks: entry.tracks });
    else if (entry.sequence > begin) {
      if (count === limit) return { events, hasMore: true };
      count += 1;
      events.push(...trailing, { sequence: entry.sequence, ...entry.event });
      trailing = [];
    }
  }
  return { events: [...events, ...trailing], hasMore: false };
}

/** Returns what `fetch` resolves with. */
export function response({ status, body, retryAfter, etag }) {
  const fields = new Map([['Content-Type', 'application/json'], ['Retry-After', retryAfter], ['ETag', etag]]);
  return {
    status,
    ok: status < 400,
    headers: { get: (name) => fields.get(name) ?? null },
    text: async () => (body === undefined ? '' : JSON.stringify(body)),
  };
}
