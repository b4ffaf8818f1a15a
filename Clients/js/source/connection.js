// Requests to the service, and waiting. Clock, random numbers and network come from `environment`, so that tests can
// replace them.

import { readEvents } from './bar-stream.js';
import { Emitter } from './emitter.js';
import { Problem } from './problem.js';

/** The longest wait for a frame, in milliseconds: a hidden page draws none. */
const LONGEST_FRAME = 100;
/** Milliseconds before the first retry, and the longest time between two. */
const [FIRST_WAIT, LONGEST_WAIT] = [250, 15_000];
/** A stream that is silent for so many milliseconds is broken: the service sends a comment every 15 s. */
const SILENCE = 45_000;

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
 * `base` is the service's address; the default is the origin of this module. `authorize()` returns a token if the
 * service requires one. `timeout` is the time limit of a response in milliseconds.
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
 * Returns the address of a path with its parameters. Lists are joined by commas, members of an object get its name as
 * a prefix (`a.response`), and null or undefined parameters are omitted.
 */
  address(path, query = {}) {
    const flat = ([name, value]) => {
      if (typeof value !== 'object' || Array.isArray(value)) return value === undefined ? [] : [[name, value]];
      return Object.entries(value ?? {}).flatMap(([inner, one]) => flat([`${name}.${inner}`, one]));
    };
    const text = String(new URLSearchParams(Object.entries(query).flatMap(flat)));
    return this.base + path + (text && '?') + text;
  }

  /** Returns the content of a response, and retries while the service is too busy for a short time. */
  async get(path, query, { signal } = {}) {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.request('GET', path, { query, signal });
      } catch (problem) {
        const isShort = problem.retryAfter !== null && problem.retryAfter * 1000 <= LONGEST_WAIT;
        if (problem.status !== 503 || !isShort || attempt === 5) throw problem;
        await this.pause(this.delay(attempt, problem.retryAfter), signal);
      }
    }
  }

  post(path, body, options) {
    return this.request('POST', path, { ...options, body });
  }

  /**
   * Sends one request and returns the content of its response; null for none. With `onEvent`, reads an event stream to
   * its end. Throws `Problem`, or the reason of `signal`.
   */
  async request(method, path, options = {}) {
    const { query, body, headers = {}, signal, keepalive, onEvent } = options;
    signal?.throwIfAborted();
    const fields = { Accept: onEvent ? 'text/event-stream' : 'application/json', ...headers };
    if (body !== undefined) fields['Content-Type'] = 'application/json';
    if (this.#token) fields.Authorization = `Bearer ${this.#token}`;
    const { fetch, setTimeout, clearTimeout, now } = this.environment;
    const sent = now();
    const controller = new AbortController();
    const abort = () => controller.abort();
    signal?.addEventListener('abort', abort);
    let timer = setTimeout(abort, this.timeout);
    try {
      const content = body === undefined ? undefined : JSON.stringify(body);
      const init = { method, headers: fields, body: content, signal: controller.signal, keepalive };
      const response = await fetch(this.address(path, query), init);
      if (onEvent && response.ok) {
        return await readEvents(response.body, onEvent, () => {
          clearTimeout(timer);
          timer = setTimeout(abort, SILENCE);
        });
      }
      const answer = await read(response);
      this.emit('answer', { method, path, status: response.status, milliseconds: now() - sent });
      if (response.ok) return answer;
      throw new Problem(response.status, answer ?? {}, {
        retryAfter: seconds(response.headers.get('Retry-After')),
        requestId: response.headers.get('X-Request-Id'),
        etag: response.headers.get('ETag'),
      });
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error.status === 401 && (await this.#reauthorize(fields.Authorization))) {
        return await this.request(method, path, options);
      }
      if (error instanceof Problem) throw error;
      const code = controller.signal.aborted ? 'timeout' : 'unreachable';
      throw new Problem(0, { code, detail: `The service did not respond.${this.#hint}` }, { cause: error });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** A browser reports an origin that the service does not allow as a missing response. */
  get #hint() {
    const { origin } = globalThis;
    if (!origin || (this.base || origin).startsWith(origin)) return '';
    return ` At ${this.base}, SPRINGBAR_CORS_ORIGINS must allow ${origin.replace(/^null$/, '*')}.`;
  }

  /**
   * Returns the milliseconds before an attempt: twice as many each time or as many as the service requires, with a
   * random part.
   */
  delay(attempt, retryAfter = null) {
    const { random } = this.environment;
    const backOff = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt) * (0.5 + random() / 2);
    return retryAfter === null ? backOff : retryAfter * 1000 + random() * FIRST_WAIT;
  }

  /** Ends all waits, because the network is available again. */
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

  /** Waits, at most until `retryNow()`. */
  pause(milliseconds, signal) {
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

  /** Returns whether there is another token than the one `refused`. All waiting requests share one call. */
  async #reauthorize(refused) {
    if (this.#token && `Bearer ${this.#token}` !== refused) return true;
    if (!this.#authorize) return false;
    this.#authorizing ??= Promise.resolve(this.#authorize()).finally(() => (this.#authorizing = null));
    this.#token = await this.#authorizing;
    return Boolean(this.#token);
  }
}

/** The origin of this module: the service itself, or the page's own site. */
function home() {
  const { origin } = new URL(import.meta.url);
  return origin.startsWith('http') ? origin : '';
}

async function read(response) {
  const text = await response.text();
  if (text === '') return null;
  const type = response.headers.get('Content-Type') ?? '';
  if (type.includes('json')) return JSON.parse(text);
  // Not from the service, but from a proxy or the login page of a network.
  throw new Problem(response.ok ? 0 : response.status, { code: 'unreadable', detail: 'The response is not JSON.' });
}

function seconds(text) {
  return /^\d+$/.test(text ?? '') ? Number(text) : null;
}
