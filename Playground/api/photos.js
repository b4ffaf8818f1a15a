// /v1/photos: the feed, the pictures, and where both come from.

export class Photos {
  #client;

  constructor(client) {
    this.#client = client;
  }

  /** A page of the feed, or of a search when there is a `query`; `cursor` is the one of the page before. */
  page({ cursor, limit, query, orientation, color }, { signal } = {}) {
    if (!query) return this.#client.get('/v1/photos', { query: { cursor, limit }, signal });
    return this.#client.get('/v1/search/photos', { query: { query, orientation, color, cursor, limit }, signal });
  }

  /** What is known of a photo; `basic` costs the service nothing when it has seen it in a page. */
  photo(id, { detail = 'basic', signal } = {}) {
    return this.#client.get(`/v1/photos/${encodeURIComponent(id)}`, { query: { detail }, signal });
  }

  /** Tells the library that somebody takes the photo, as its terms ask. */
  trackDownload(id) {
    return this.#client.post(`/v1/photos/${encodeURIComponent(id)}/download`);
  }

  /** The service at a glance. */
  status({ signal } = {}) {
    return this.#client.get('/v1/status', { signal });
  }
}
