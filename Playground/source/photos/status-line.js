// The state of the photos in `/v1/status`: library, cache and remaining calls.

import { figure, part } from '../shared/dom.js';

const PERIOD = 5000;
/** Milliseconds: the service waits a moment for another reader before it cancels a transfer. */
const LINGER = 400;
const UPSTREAM = { ok: 'answers', degraded: 'fails at times', down: 'does not answer' };

export class StatusLine {
  #root;
  #springbar;
  #timer = 0;

  constructor(document, springbar) {
    this.#root = part(document, 'status');
    this.#springbar = springbar;
    document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(this.#timer) : this.refresh()));
    this.refresh();
  }

  /** A load was cancelled because its picture left the screen; the service counts it after a short time. */
  noteGivenUp() {
    this.#schedule(LINGER);
  }

  /** A page of the list is stale, because the library does not respond; null for a new list. */
  tellStale(ageSeconds) {
    const text = ageSeconds === null ? '' : `These photos are ${Math.round(ageSeconds / 60)} minutes old.`;
    part(document, 'stale').textContent = text;
  }

  async refresh() {
    clearTimeout(this.#timer);
    try {
      const { photos, bars } = await this.#springbar.status();
      const { budget, imageCache, imageLoads } = photos;
      this.#tell('library', photos.library);
      this.#tell('upstream', UPSTREAM[photos.upstream] ?? photos.upstream);
      this.#tell('budget', `${budget.remaining} of ${budget.limit}`);
      part(this.#root, 'budget').title = `Resets in ${Math.ceil(budget.resetsInSeconds / 60)} min`;
      this.#tell('kept', `${imageCache.entries} (${figure(imageCache.bytes / 1e6, 1)} MB)`);
      this.#tell('hits', `${imageCache.hits} of ${imageCache.hits + imageCache.misses}`);
      this.#tell('given-up', String(imageLoads.cancelled));
      this.#tell('sessions', figure(bars.sessions));
    } catch (error) {
      this.#tell('upstream', error.status === 0 ? 'unknown: the service does not answer' : error.message);
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
