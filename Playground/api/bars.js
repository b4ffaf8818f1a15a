// /v1/bars: a session for one bar.

export class Bars {
  #client;

  constructor(client) {
    this.#client = client;
  }

  /** Starts a session. `key` makes it safe to try again: the same key and body lead to the same bar. */
  create(body, { key = crypto.randomUUID(), signal } = {}) {
    return this.#client.post('/v1/bars', body, { headers: { 'Idempotency-Key': key }, signal });
  }

  /** The bar as it is now. */
  get(id, { signal } = {}) {
    return this.#client.get(`/v1/bars/${id}`, { signal });
  }

  /** Applies a batch, all of it or nothing. With numbered events it may be sent again without harm. */
  post(id, events, { results = 'last', explain, signal } = {}) {
    return this.#client.post(`/v1/bars/${id}/events`, { events }, { query: { results, explain }, signal });
  }

  /** The retained log after a sequence number. */
  log(id, { after, limit, signal } = {}) {
    return this.#client.get(`/v1/bars/${id}/events`, { query: { after, limit }, signal });
  }

  /** The bar right after an event. */
  stateAt(id, sequence, { signal } = {}) {
    return this.#client.get(`/v1/bars/${id}/states`, { query: { at: sequence }, signal });
  }

  /** Ends the session, even while the page is being left. */
  end(id) {
    return this.#client.delete(`/v1/bars/${id}`, { keepalive: true });
  }

  /**
   * Follows the session from anywhere. The browser reconnects by itself and says where it was.
   * `onState` gets a bar with its commands; `onEnd` the reason. Returns a function that stops it.
   */
  follow(id, { onState, onEnd, onLost }) {
    const source = new EventSource(this.#client.address(`/v1/bars/${id}/stream`, { commands: true }));
    source.addEventListener('state', (event) => onState(JSON.parse(event.data)));
    source.addEventListener('end', (event) => {
      source.close();
      onEnd?.(JSON.parse(event.data).reason);
    });
    source.addEventListener('error', () => onLost?.(source.readyState === EventSource.CLOSED));
    return () => source.close();
  }
}
