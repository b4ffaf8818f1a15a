// What the page asks and what the service answers, newest last.

const KEPT = 40;

/** Wraps `fetch` and keeps the last exchanges. Calls `onChange(exchange)` when one begins or ends. */
export class Exchanges {
  list = [];
  /** Milliseconds that are added to every round trip, to see what a slow network does. */
  delay = 0;
  #listeners = new Set();
  #number = 0;

  /** Calls `listener(exchange)` for each exchange that begins or ends; returns a function that stops it. */
  observe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async fetch(url, init = {}) {
    const { method = 'GET', body } = init;
    const { pathname, search } = new URL(url, location.href);
    const exchange = { number: (this.#number += 1), method, path: pathname, target: pathname + search, body };
    Object.assign(
      exchange,
      { headers: init.headers, sent: performance.now(), status: null, milliseconds: null, answer: '' },
    );
    this.list.push(exchange);
    if (this.list.length > KEPT) this.list.shift();
    this.#tell(exchange);
    try {
      await pause(this.delay / 2);
      const response = await fetch(url, init);
      const text = await response.text();
      await pause(this.delay / 2);
      Object.assign(
        exchange,
        { status: response.status, answer: text, milliseconds: performance.now() - exchange.sent },
      );
      this.#tell(exchange);
      const { ok, status, headers } = response;
      return { ok, status, headers, text: async () => text };
    } catch (error) {
      exchange.milliseconds = performance.now() - exchange.sent;
      exchange.failure = init.signal?.aborted ? 'cancelled' : 'no answer';
      this.#tell(exchange);
      throw error;
    }
  }

  #tell(exchange) {
    for (const listener of this.#listeners) listener(exchange);
  }
}

function pause(milliseconds) {
  return milliseconds > 0 ? new Promise((resolve) => setTimeout(resolve, milliseconds)) : undefined;
}

/** The exchange as a command for a shell. */
export function curl({ method, target, body, headers = {} }) {
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}'${location.origin}${target}'`];
  const kept = Object.entries(headers).filter(([name]) => !['Accept', 'Authorization'].includes(name));
  for (const [name, value] of kept) lines.push(`-H '${name}: ${value}'`);
  if (headers.Authorization) lines.push('-H "Authorization: Bearer $TOKEN"');
  if (body !== undefined && body !== null) lines.push(`-d '${String(body).replaceAll("'", "'\\''")}'`);
  return lines.join(' \\\n  ');
}

/** JSON with line breaks; any other text as it is. */
export function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
