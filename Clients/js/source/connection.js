// One way to ask the service, and to wait for it. Clock, chance and network come from `environment`, so that a test can
// bring its own.

import { Emitter } from './emitter.js';
import { Problem } from './problem.js';

/** A frame is waited for as long as this, in milliseconds: a page that is not shown draws none. */
const LONGEST_FRAME = 100;
/** Milliseconds before the first retry, and the most between two. */
const [FIRST_WAIT, LONGEST_WAIT] = [250, 15_000];

const platform = {
  fetch: (...args) => globalThis.fetch(...args),
  random: Math.random,
  now: () => performance.now(),
  setTimeout: (action, milliseconds) => globalThis.setTimeout(action, milliseconds),
  clearTimeout: (timer) => globalThis.clearTimeout(timer),
  requestFrame: (action) => globalThis.requestAnimationFrame?.(action),
};

export class Connection extends Emitter {
  #token;
  #authorize;
  #authorizing = null;
  #sleepers = new Set();

  /**
   * `base` is the service's address, by default where this module came from. `authorize()` is asked for a token when
   * the service wants one; `timeout` is how many milliseconds an answer may take.
   */
  constructor({ base = home(), token = null, authorize, timeout = 10_000, environment } = {}) {
    super();
    this.base = base.replace(/\/$/, '');
    this.environment = { ...platform, ...environment };
    this.timeout = timeout;
    this.#token = token;
    this.#authorize = authorize;
    globalThis.addEventListener?.('online', () => this.retryNow());
  }

  /**
   * The address of a path with its parameters: lists are joined by commas, the members of an object get its name as a
   * prefix (`a.response`), and those that are null or undefined are left out.
   */
  address(path, query = {}) {
    const flat = ([name, value]) => {
      if (typeof value !== 'object' || Array.isArray(value)) return value === undefined ? [] : [[name, value]];
      return Object.entries(value ?? {}).flatMap(([inner, one]) => flat([`${name}.${inner}`, one]));
    };
    const text = String(new URLSearchParams(Object.entries(query).flatMap(flat)));
    return this.base + path + (text && '?') + text;
  }

  /** The content of the answer, asked for again while the service says that it is too busy. */
  async get(path, query, { signal } = {}) {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.request('GET', path, { query, signal });
      } catch (problem) {
        if (problem.status !== 503 || problem.retryAfter === null || attempt === 5) throw problem;
        await this.pause(attempt, problem.retryAfter, signal);
      }
    }
  }

  post(path, body, options) {
    return this.request('POST', path, { ...options, body });
  }

  /**
   * One request: the content of its answer, null for none. Throws `Problem`, or the reason of `signal`.
   */
  async request(method, path, { query, body, headers = {}, signal, keepalive } = {}) {
    signal?.throwIfAborted();
    const fields = { Accept: 'application/json', ...headers };
    if (body !== undefined) fields['Content-Type'] = 'application/json';
    if (this.#token) fields.Authorization = `Bearer ${this.#token}`;
    const { fetch, setTimeout, clearTimeout, now } = this.environment;
    const sent = now();
    const controller = new AbortController();
    const abort = () => controller.abort();
    signal?.addEventListener('abort', abort);
    const timer = setTimeout(abort, this.timeout);
    try {
      const content = body === undefined ? undefined : JSON.stringify(body);
      const init = { method, headers: fields, body: content, signal: controller.signal, keepalive };
      const response = await fetch(this.address(path, query), init);
      const answer = await read(response);
      this.emit('answer', { method, path, status: response.status, milliseconds: now() - sent });
      if (response.ok) return answer;
      throw new Problem(response.status, answer ?? {}, {
        retryAfter: seconds(response.headers.get('Retry-After')),
        requestId: response.headers.get('X-Request-Id'),
      });
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error.status === 401 && (await this.#reauthorize(fields.Authorization))) {
        return await this.request(method, path, { query, body, headers, signal, keepalive });
      }
      if (error instanceof Problem) throw error;
      const code = controller.signal.aborted ? 'timeout' : 'unreachable';
      throw new Problem(0, { code, detail: 'There was no answer from the service.' }, { cause: error });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Waits before attempt number `attempt`: twice as long each time, as long as the service says, never in step. */
  pause(attempt, retryAfter = null, signal) {
    const { random } = this.environment;
    const backOff = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt) * (0.5 + random() / 2);
    return this.#sleep(retryAfter === null ? backOff : retryAfter * 1000 + random() * FIRST_WAIT, signal);
  }

  /** Ends all waiting: the network is back. */
  retryNow() {
    for (const wake of this.#sleepers) wake();
  }

  /** Waits for the next frame. */
  frame() {
    const { requestFrame, setTimeout, clearTimeout } = this.environment;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LONGEST_FRAME);
      const frame = () => {
        clearTimeout(timer);
        resolve();
      };
      if (requestFrame(frame) === undefined) setTimeout(frame, 16);
    });
  }

  #sleep(milliseconds, signal) {
    const { setTimeout, clearTimeout } = this.environment;
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#sleepers.delete(wake);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      this.#sleepers.add(wake);
      signal?.addEventListener('abort', wake);
    });
  }

  /** Whether there is another token than the one that was `refused`. All requests that wait share one question. */
  async #reauthorize(refused) {
    if (this.#token && `Bearer ${this.#token}` !== refused) return true;
    if (!this.#authorize) return false;
    this.#authorizing ??= Promise.resolve(this.#authorize()).finally(() => (this.#authorizing = null));
    this.#token = await this.#authorizing;
    return Boolean(this.#token);
  }
}

/** Where this module came from: the service itself, or the page's own site. */
function home() {
  const { origin } = new URL(import.meta.url);
  return origin.startsWith('http') ? origin : '';
}

async function read(response) {
  const text = await response.text();
  if (text === '') return null;
  const type = response.headers.get('Content-Type') ?? '';
  if (type.includes('json')) return JSON.parse(text);
  // Not the service: a proxy on the way, or a network that wants a login first.
  throw new Problem(response.ok ? 0 : response.status, { code: 'unreadable', detail: 'The answer is not JSON.' });
}

function seconds(text) {
  return /^\d+$/.test(text ?? '') ? Number(text) : null;
}
