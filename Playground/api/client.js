// One way to ask the service. Everything else in this folder says what can be asked.

/** An error answer (RFC 9457): what went wrong, in the service's own words. */
export class Problem extends Error {
  constructor(status, body, retryAfter) {
    super(body.detail ?? body.title ?? `The service answered ${status}.`);
    this.name = 'Problem';
    this.status = status;
    /** The stable code, such as `sequence-gap`. */
    this.code = (body.type ?? '').split('/').pop();
    /** What else the problem says: `errors`, `expectedSequence`, `instance`. */
    this.body = body;
    /** Seconds after which asking again makes sense; null when the service does not say. */
    this.retryAfter = retryAfter;
  }
}

/** A connection to one Springbar service. The browser keeps its connections alive; this keeps the rules. */
export class Client {
  #base;
  #token = null;
  #asking = null;
  #observers = new Set();
  /** Asked for a bearer token when the service wants one; resolves with the token, or with null to leave it. */
  askForToken = async () => null;

  constructor(base = '') {
    this.#base = base;
  }

  /** Calls `observer({ method, path, status, milliseconds })` after every answer; returns a function that stops it. */
  observe(observer) {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /** The address of a path with its parameters; those that are null or undefined are left out. */
  address(path, query = {}) {
    const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
    const text = new URLSearchParams(given).toString();
    return this.#base + path + (text ? (path.includes('?') ? '&' : '?') + text : '');
  }

  get(path, options) {
    return this.#send('GET', path, options);
  }

  post(path, body, options) {
    return this.#send('POST', path, { ...options, body });
  }

  delete(path, options) {
    return this.#send('DELETE', path, options);
  }

  /**
   * The content of the answer: an object for JSON, a text for anything else, null for none.
   * Throws `Problem` for what the service refuses, `TypeError` when there is no service, `AbortError` when `signal` says so.
   */
  async #send(method, path, { query, body, headers = {}, signal, keepalive } = {}) {
    const fields = { Accept: 'application/json', ...headers };
    if (body !== undefined) fields['Content-Type'] = 'application/json';
    if (this.#token) fields.Authorization = `Bearer ${this.#token}`;
    const sent = performance.now();
    const response = await fetch(this.address(path, query), {
      method,
      headers: fields,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      keepalive,
    });
    const content = await read(response);
    const milliseconds = performance.now() - sent;
    for (const observer of this.#observers) observer({ method, path, status: response.status, milliseconds });
    if (response.ok) return content;
    if (response.status === 401 && (await this.#authorize(fields.Authorization))) {
      return this.#send(method, path, { query, body, headers, signal, keepalive });
    }
    const retryAfter = Number.parseInt(response.headers.get('Retry-After'), 10);
    throw new Problem(response.status, content ?? {}, Number.isNaN(retryAfter) ? null : retryAfter);
  }

  /** Whether there is another token to try than the one that was `refused`. However many wait, one question is asked. */
  async #authorize(refused) {
    if (this.#token && `Bearer ${this.#token}` !== refused) return true;
    this.#asking ??= this.askForToken().finally(() => (this.#asking = null));
    this.#token = await this.#asking;
    return this.#token !== null;
  }
}

async function read(response) {
  const type = response.headers.get('Content-Type') ?? '';
  const text = await response.text();
  if (text === '') return null;
  return type.includes('json') ? JSON.parse(text) : text;
}
