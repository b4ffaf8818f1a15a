// Requests to the service, and waiting. Clock, random numbers and network come from `environment`, so that tests can
// replace them.

import { readEvents } from './bar-stream.js';
import { Emitter, onAbort } from './emitter.js';
import { Problem } from './problem.js';

/** The longest wait for a frame, in milliseconds: a hidden page draws none. */
const LONGEST_FRAME = 100;
/** Milliseconds before the first retry, and the longest time between two. */
const [FIRST_WAIT, LONGEST_WAIT] = [250, 15_000];
/** A stream that is silent for so many milliseconds is broken: the service sends a comment every 15 s. */
const SILENCE = 45_000;

/** A response that is not from the service, but from a proxy or the login page of a network. */
export const UNREADABLE = { code: 'unreadable', detail: "The response is not the service's." };

const platform = {
  fetch: (...args) => fetch(...args),
  random: Math.random,
  now: () => performance.now(),
  setTimeout: (...args) => setTimeout(...args),
  clearTimeout: (...args) => clearTimeout(...args),
  requestFrame: (action) => globalThis.requestAnimationFrame?.(action),
};

export class Connection extends Emitter {
  #token;
  #authorize;
  #authorizing = null;

  /**
 * `base` is the service's address; the default is the origin of this module. `authorize()` returns a token if the
 * service requires one. `timeout` is the time limit of a response in milliseconds.
 */
  constructor({
    // The origin of this module: the service itself, or the page's own site. A bundle that is no module has no address.
    base = /^https?:\/\/[^/]+/.exec(import.meta.url)?.[0] ?? '',
    token = null,
    authorize,
    timeout = 10_000,
    environment,
  } = {}) {
    super();
    this.base = base.replace(/\/$/, '');
    this.environment = { ...platform, ...environment };
    this.timeout = timeout;
    this.#token = token;
    this.#authorize = authorize;
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
        const answer = await this.request('GET', path, { query, signal });
        if (typeof answer !== 'object' || !answer) throw new Problem(0, UNREADABLE);
        return answer;
      } catch (problem) {
        const isLong = (problem.retryAfter ?? Infinity) * 1000 > LONGEST_WAIT;
        if (problem.status !== 503 || isLong || attempt === 5) throw problem;
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
  async request(method, path, options = {}, isRepeated = false) {
    const { query, body, headers, signal, keepalive, onEvent } = options;
    signal?.throwIfAborted();
    const fields = { Accept: onEvent ? 'text/event-stream' : 'application/json', ...headers };
    if (body) fields['Content-Type'] = 'application/json';
    if (this.#token) fields.Authorization = `Bearer ${this.#token}`;
    const { fetch, setTimeout, clearTimeout, now } = this.environment;
    const sent = now();
    const controller = new AbortController();
    const abort = () => controller.abort();
    const ignore = onAbort(signal, abort);
    let timer = setTimeout(abort, this.timeout);
    try {
      const init = { method, headers: fields, body: JSON.stringify(body), signal: controller.signal, keepalive };
      const response = await fetch(this.address(path, query), init);
      const isStream = /^text\/event-stream\b/.test(response.headers.get('Content-Type'));
      if (onEvent && isStream && response.ok) {
        return await readEvents(response.body, onEvent, () => {
          clearTimeout(timer);
          timer = setTimeout(abort, SILENCE);
        });
      }
      // A success that is not a stream may not end.
      const answer = onEvent && response.ok ? UNREADABLE : await read(response);
      this.emit('answer', { method, path, status: response.status, milliseconds: now() - sent });
      if (response.ok && answer !== UNREADABLE) return answer;
      const isProblem = typeof (answer?.code ?? answer?.type) === 'string';
      throw new Problem(response.ok ? 0 : response.status, isProblem ? answer : UNREADABLE, {
        retryAfter: secondsOf(response.headers.get('Retry-After')),
        requestId: response.headers.get('X-Request-Id'),
        etag: response.headers.get('ETag'),
      });
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error.status === 401 && !isRepeated && (await untilAborted(this.#reauthorize(fields.Authorization), signal))) {
        // A request without a token has none that was refused.
        return await this.request(method, path, options, fields.Authorization);
      }
      if (error instanceof Problem) throw error;
      throw new Problem(0, { code: controller.signal.aborted ? 'timeout' : 'unreachable', detail: 'The service did not respond.' }, { cause: error });
    } finally {
      clearTimeout(timer);
      ignore();
    }
  }

  /**
   * Returns the milliseconds before an attempt: twice as many each time, and at least as many as the service requires,
   * with a random part.
   */
  delay(attempt, retryAfter = null) {
    const part = this.environment.random();
    const pause = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt) * (0.5 + part / 2);
    // A timer of more than 2^31 ms would end at once.
    return Math.max(pause, retryAfter === null ? 0 : Math.min(2e9, retryAfter * 1000 + part * FIRST_WAIT));
  }

  /** Ends all waits, because the network is available again. */
  retryNow() {
    this.emit('wake');
  }

  /** Waits for the next frame. */
  frame() {
    const { requestFrame, setTimeout } = this.environment;
    return new Promise((resolve) => {
      setTimeout(resolve, requestFrame(resolve) === undefined ? 16 : LONGEST_FRAME);
    });
  }

  /** Waits, at most until `retryNow()`. */
  pause(milliseconds, signal) {
    const { setTimeout, clearTimeout } = this.environment;
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        clearTimeout(timer);
        leave();
        ignore();
        resolve();
        globalThis.removeEventListener?.('online', wake);
      };
      const timer = setTimeout(wake, milliseconds);
      const leave = this.on('wake', wake);
      globalThis.addEventListener?.('online', wake);
      const ignore = onAbort(signal, wake);
    });
  }

  /**
   * Returns whether there is another token than the one `refused`. All waiting requests share one call. If that fails,
   * no request is authorized.
   */
  async #reauthorize(refused) {
    if (this.#token && `Bearer ${this.#token}` !== refused) return true;
    if (!this.#authorize) return false;
    this.#authorizing ??= (async () => this.#authorize())().catch((cause) => {
      throw new Problem(401, { code: 'unauthorized' }, { cause });
    }).finally(() => (this.#authorizing = null));
    return (this.#token = await this.#authorizing);
  }
}

/** Waits for the result of a promise, at most until `signal` is aborted. */
function untilAborted(promise, signal) {
  let ignore;
  return new Promise((resolve, reject) => {
    ignore = onAbort(signal, () => reject(signal.reason));
    promise.then(resolve, reject);
  }).finally(ignore);
}

/** Returns the seconds of `Retry-After`, which is a number of them or a date (RFC 9110, 10.2.3); null for neither. */
function secondsOf(field) {
  if (/^\d+$/.test(field)) return Number(field);
  const date = / GMT$/.test(field) ? Date.parse(field) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, (date - Date.now()) / 1000);
}

async function read(response) {
  const text = await response.text();
  try {
    return JSON.parse(text || 'null');
  } catch {
    return UNREADABLE;
  }
}
