// The service behind the photos, as `/v1/status` tells it: where they come from, what is kept, what it may still ask for.

import { figure, part } from '../dom.js';

const PERIOD = 5000;
const UPSTREAM = { ok: 'answers', degraded: 'is in trouble', down: 'is down' };

export class StatusLine {
  #root;
  #photos;
  #givenUp = 0;
  #timer = 0;

  constructor(document, photos) {
    this.#root = part(document, 'status');
    this.#photos = photos;
    document.addEventListener('visibilitychange', () => this.#schedule());
    this.refresh();
  }

  /** A load was cancelled because its picture left the screen. */
  countGivenUp() {
    this.#givenUp += 1;
    part(this.#root, 'given-up').textContent = figure(this.#givenUp, 0);
  }

  /** The page that came is an old one, because the library does not answer. */
  tellStale(ageSeconds) {
    part(this.#root, 'stale').textContent = `These photos are ${Math.round(ageSeconds / 60)} minutes old.`;
  }

  async refresh() {
    clearTimeout(this.#timer);
    try {
      const { photos, bars } = await this.#photos.status();
      const { budget, imageCache } = photos;
      this.#tell('library', photos.library);
      this.#tell('upstream', UPSTREAM[photos.upstream] ?? photos.upstream);
      this.#tell('budget', `${budget.remaining} of ${budget.limit}`);
      this.#tell('kept', `${imageCache.entries} (${figure(imageCache.bytes / 1e6, 1)} MB)`);
      this.#tell('hits', `${imageCache.hits} of ${imageCache.hits + imageCache.misses}`);
      this.#tell('sessions', String(bars.sessions));
    } catch (error) {
      this.#tell('upstream', error.message);
    }
    this.#schedule();
  }

  #schedule() {
    clearTimeout(this.#timer);
    if (!document.hidden) this.#timer = setTimeout(() => this.refresh(), PERIOD);
  }

  #tell(role, text) {
    part(this.#root, role).textContent = text;
  }
}
