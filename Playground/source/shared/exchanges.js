// The requests of the page, and the responses of the service.

/** The number of events of a stream that are shown, newest last. */
const RECENT = 5;

/** Wraps `fetch` and `EventSource`, and reports each exchange when it begins, ends or gets an event. */
export class Exchanges {
  /** Milliseconds that are added to every round trip, to simulate a slow network. */
  delay = 0;
  #listeners = new Set();
  #number = 0;

  /** Calls `listener(exchange)` for each change of an exchange; returns a function that stops it. */
  observe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async fetch(url, init = {}) {
    const exchange = this.#begin(url, init);
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

  /**
   * Opens an event stream; its newest events are shown as its response. A browser hides the status of a refusal. It
   * opens a lost stream again, which is another exchange.
   */
  stream(url) {
    const source = new EventSource(url);
    let exchange = this.#begin(url, { isStream: true });
    const end = (outcome) => {
      if (exchange.milliseconds !== null) return;
      Object.assign(exchange, outcome, { milliseconds: performance.now() - exchange.sent });
      this.#tell(exchange);
    };
    const events = [];
    const take = ({ type, lastEventId, data }) => {
      events.push(`event: ${type}\nid: ${lastEventId}\ndata: ${data}`);
      if (events.length > RECENT) events.shift();
      exchange.answer = events.join('\n\n');
      this.#tell(exchange);
    };
    for (const name of ['state', 'end']) source.addEventListener(name, take);
    source.addEventListener('open', () => end({ status: 200 }));
    source.addEventListener('error', () => {
      const isRefused = source.readyState === EventSource.CLOSED;
      end({ failure: isRefused ? 'refused' : 'no answer' });
      if (!isRefused) exchange = this.#begin(url, { isStream: true });
    });
    return source;
  }

  #begin(url, { method = 'GET', body, headers, isStream = false }) {
    const { pathname, search } = new URL(url, location.href);
    const exchange = { number: (this.#number += 1), method, path: pathname, target: pathname + search, body, headers };
    Object.assign(exchange, { isStream, sent: performance.now(), status: null, milliseconds: null, answer: '' });
    this.#tell(exchange);
    return exchange;
  }

  #tell(exchange) {
    for (const listener of this.#listeners) listener(exchange);
  }
}

function pause(milliseconds) {
  return milliseconds > 0 ? new Promise((resolve) => setTimeout(resolve, milliseconds)) : undefined;
}

/** Returns the exchange as a shell command. */
export function curl({ method, target, body, headers = {}, isStream = false }) {
  const option = isStream ? '-N ' : method === 'GET' ? '' : `-X ${method} `;
  const quoted = (text) => `'${String(text).replaceAll("'", "'\\''")}'`;
  const lines = [`curl ${option}${quoted(location.origin + target)}`];
  // JSON is the type that a request without `Accept` gets.
  const isImplied = (name, value) => name === 'Authorization' || (name === 'Accept' && value.includes('application/json'));
  const kept = Object.entries(headers).filter(([name, value]) => !isImplied(name, value));
  for (const [name, value] of kept) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (headers.Authorization) lines.push('-H "Authorization: Bearer $TOKEN"');
  if (body !== undefined && body !== null) lines.push(`-d ${quoted(body)}`);
  return lines.join(' \\\n  ');
}

/** Returns JSON with line breaks, and any other text unchanged. */
export function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
