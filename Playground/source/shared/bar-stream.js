// The stream of a bar, which is opened again until the bar is over. A browser opens a lost stream again, but neither one
// that was refused nor one that the service has ended, as at a restart. It hides the status of a refusal.

/** Seconds before the next attempt, if the service does not say. */
const PAUSE = 3;

export class BarStream {
  #exchanges;
  #address;
  #on;
  #source = null;
  #timer = 0;
  #isClosed = false;

  /**
   * Calls `on.state(bar)` for each state, `on.waiting()` while there is no stream, and `on.over(reason)` at the end:
   * `deleted`, `expired`, or `missing` if the bar does not exist.
   */
  constructor(exchanges, address, on) {
    this.#exchanges = exchanges;
    this.#address = address;
    this.#on = on;
    this.#open();
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#source.close();
  }

  #open() {
    const source = (this.#source = this.#exchanges.stream(this.#address));
    source.addEventListener('state', ({ data }) => this.#on.state(JSON.parse(data)));
    source.addEventListener('end', ({ data }) => {
      const { reason } = JSON.parse(data);
      if (/^(deleted|expired)$/.test(reason)) return this.#end(reason);
      source.close();
      this.#retry();
    });
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) this.#retry();
      else this.#on.waiting();
    });
  }

  /** Asks for the stream once more, only for the status and `Retry-After`. */
  async #retry() {
    this.#on.waiting();
    const request = new AbortController();
    const response = await fetch(this.#address, { signal: request.signal }).catch(() => null);
    request.abort();
    if (this.#isClosed) return;
    if (response?.status === 404) return this.#end('missing');
    const seconds = Number(response?.headers.get('Retry-After')) || PAUSE;
    this.#timer = setTimeout(() => this.#open(), Math.min(2 ** 31 - 1, 1000 * seconds));
  }

  #end(reason) {
    this.close();
    this.#on.over(reason);
  }
}
