// The service behind the photos, as `/v1/status` tells it: where they come from, what is kept, what it may still ask for.

import { figure, part } from '../dom.js';

const PERIOD = 5000;
/** The service waits a moment for somebody else who wants a picture before it gives the transfer up. */
const LINGER = 400;
const UPSTREAM = { ok: 'answers', degraded: 'is in trouble', down: 'is down' };

export class StatusLine {
  #root;
  #photos;
  #timer = 0;

  constructor(document, photos) {
    this.#root = part(document, 'status');
    this.#photos = photos;
    document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(this.#timer) : this.refresh()));
    this.refresh();
  }

  /** A picture left the screen before it had come; soon the service will know that nobody waits for it. */
  noteGivenUp() {
    this.#schedule(LINGER);
  }

  /** The page that came is an old one, because the library does not answer. */
  tellStale(ageSeconds) {
    part(this.#root, 'stale').textContent = `These photos are ${Math.round(ageSeconds / 60)} minutes old.`;
  }

  async refresh() {
    clearTimeout(this.#timer);
    try {
      const { photos, bars } = await this.#photos.status();
      const { budget, imageCache, imageLoads } = photos;
      this.#tell('library', photos.library);
      this.#tell('upstream', UPSTREAM[photos.upstream] ?? photos.upstream);
      this.#tell('budget', `${budget.remaining} of ${budget.limit}`);
      this.#tell('kept', `${imageCache.entries} (${figure(imageCache.bytes / 1e6, 1)} MB)`);
      this.#tell('hits', `${imageCache.hits} of ${imageCache.hits + imageCache.misses}`);
      this.#tell('given-up', String(imageLoads.cancelled));
      this.#tell('sessions', String(bars.sessions));
    } catch (error) {
      this.#tell('upstream', error.message);
    }
    this.#schedule();
  }

  #schedule(delay = PERIOD) {
    clearTimeout(this.#timer);
    if (!document.hidden) this.#timer = setTimeout(() => this.refresh(), delay);
  }

  #tell(role, text) {
    part(this.#root, role).textContent = text;
  }
}
