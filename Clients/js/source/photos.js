// Pages of photos, and pictures in the size of the screen.

import { UNREADABLE } from './connection.js';
import { Emitter } from './emitter.js';
import { Problem } from './problem.js';

/** The widths that the service produces, so that the browser's cache holds the same ones. */
const WIDTHS = [200, 320, 400, 640, 750, 828, 1080, 1200, 1440, 1920, 2400];

const pathOf = (photo) => `/v1/photos/${encodeURIComponent(photo.id ?? photo)}`;

export class Photos {
  #connection;

  constructor(connection) {
    this.#connection = connection;
  }

  /** The pages of the feed, or of a search with `query`; `limit` is the number of photos per page. */
  pager(source = {}) {
    return new Pager((cursor, options) => this.page({ ...source, cursor }, options), source);
  }

  /** Returns one page; `cursor` is that of the page before. */
  page({ cursor, limit, query, orientation, color } = {}, options) {
    const search = { query, orientation, color };
    return this.#connection.get(query ? '/v1/search/photos' : '/v1/photos', { ...(query && search), cursor, limit }, options);
  }

  /** Returns a photo; `basic` costs no upstream call if the service has seen it on a page. */
  photo(id, { detail = 'basic', ...options } = {}) {
    return this.#connection.get(pathOf(id), { detail }, options);
  }

  /** Returns the address of a picture of `width` by `height` points, on a screen with `scale` pixels per point. */
  imageURL(photo, { width, height, scale = globalThis.devicePixelRatio ?? 1, quality, fit, format } = {}) {
    const w = width ? (WIDTHS.find((one) => one >= width * scale) ?? WIDTHS.at(-1)) : undefined;
    // The height follows the rounded width, so that a cropped picture keeps its shape.
    const h = height && Math.min(WIDTHS.at(-1), Math.max(1, Math.ceil(w ? (height * w) / width : height * scale)));
    // The signature of the photo's links: if the service requires tokens, an `<img>` needs it, because it cannot send one.
    const s = photo.images?.full.url.split('?s=')[1];
    return this.#connection.address(`${pathOf(photo)}/image`, { w, h, q: quality, fit, fm: format, s });
  }

  /** Reports a download to the library, as its terms require. */
  trackDownload(photo) {
    return this.#connection.post(`${pathOf(photo)}/download`);
  }

  /** Prefetches pictures that will be needed soon. */
  prefetch(photos, { variant = 'regular', ...options } = {}) {
    return this.#connection.post('/v1/photos/prefetch', { ids: photos.map(({ id }) => id), variant }, options);
  }
}

/** A sequence of pages without duplicates; a failure skips no page. */
export class Pager extends Emitter {
  #fetch;
  #signal;
  #ahead;
  #cursor = null;
  #loading = null;
  /** The page that a loop has requested in advance; if the loop is left, the next one begins with it. */
  #aheadPage = null;
  /** The number of loops that read the pages. */
  #loops = 0;
  #known = new Set();
  /** All photos so far. */
  items = [];
  hasMore = true;

  /** `ahead` is the distance to the end, in photos, at which the next page is requested. */
  constructor(fetch, { signal, ahead = 10 } = {}) {
    super();
    this.#fetch = fetch;
    this.#signal = signal;
    this.#ahead = ahead;
  }

  get isLoading() {
    return this.#loading !== null;
  }

  /** Returns the next page without duplicates; null after the last one. It can be called again after a failure. */
  next() {
    const page = this.#aheadPage ?? this.#request();
    this.#aheadPage = null;
    return page;
  }

  /**
   * Reports that the photo at `index` is visible, so that the next page is loaded in time, unless a loop loads them.
   * Failures emit `problem`.
   */
  reached(index) {
    if (this.#loops || this.#loading || !this.hasMore || index < this.items.length - this.#ahead) return;
    this.#request().catch((problem) => this.emit('problem', problem));
  }

  async *[Symbol.asyncIterator]() {
    this.#loops += 1;
    try {
      for (let page = await this.next(); page; page = await this.next()) {
        // The next page is loaded while this one is used; its failure is reported when it is requested.
        this.#aheadPage ??= this.#request();
        this.#aheadPage.catch(() => {});
        yield page;
      }
    } finally {
      this.#loops -= 1;
    }
  }

  #request() {
    this.#loading ??= this.#load().finally(() => (this.#loading = null));
    return this.#loading;
  }

  async #load() {
    if (!this.hasMore) return null;
    const { items, page } = await this.#fetch(this.#cursor, { signal: this.#signal });
    if (!Array.isArray(items) || !page) throw new Problem(0, UNREADABLE);
    const fresh = items.filter(({ id }) => !this.#known.has(id) && this.#known.add(id));
    this.items.push(...fresh);
    this.#cursor = page.nextCursor;
    // Without a cursor, the next page would be the first one.
    this.hasMore = page.hasMore && Boolean(page.nextCursor);
    this.emit('page', { items: fresh, page });
    return { items: fresh, page };
  }
}
