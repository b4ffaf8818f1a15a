// Photos page by page, their pictures in the size of the screen, and a loader that gives up what nobody sees.

import { Emitter } from './emitter.js';

/** The widths that the service makes; a browser's cache then holds the same ones. */
const WIDTHS = [200, 320, 400, 640, 750, 828, 1080, 1200, 1440, 1920, 2400];

export class Photos {
  #connection;

  constructor(connection) {
    this.#connection = connection;
  }

  /** The feed, or a search where there is a `query`; `limit` is the number of photos of a page. */
  pager(source = {}) {
    return new Pager((cursor, options) => this.page({ ...source, cursor }, options), source);
  }

  /** One page; `cursor` is the one of the page before. */
  page({ cursor, limit, query, orientation, color } = {}, options) {
    if (!query) return this.#connection.get('/v1/photos', { cursor, limit }, options);
    return this.#connection.get('/v1/search/photos', { query, orientation, color, cursor, limit }, options);
  }

  /** What is known of a photo; `basic` costs the service nothing when it has seen it in a page. */
  photo(id, { detail = 'basic', ...options } = {}) {
    return this.#connection.get(`/v1/photos/${encodeURIComponent(id)}`, { detail }, options);
  }

  /** The address of a picture for a place of `width` by `height` points, on a screen of `scale` pixels a point. */
  imageURL(photo, { width, height, scale = globalThis.devicePixelRatio ?? 1, quality, fit, format } = {}) {
    const pixels = (points) => points && Math.ceil(points * scale);
    const wanted = pixels(width);
    const w = wanted && (WIDTHS.find((one) => one >= wanted) ?? WIDTHS.at(-1));
    const path = `/v1/photos/${encodeURIComponent(photo.id ?? photo)}/image`;
    return this.#connection.address(path, { w, h: pixels(height), q: quality, fit, fm: format });
  }

  /** Tells the library that a photo is taken, as its terms ask. */
  trackDownload(photo) {
    return this.#connection.post(`/v1/photos/${encodeURIComponent(photo.id ?? photo)}/download`);
  }

  /** Has pictures fetched that will be wanted soon. */
  prefetch(photos, { variant = 'regular', ...options } = {}) {
    return this.#connection.post('/v1/photos/prefetch', { ids: photos.map(({ id }) => id), variant }, options);
  }
}

/** Pages one after the other: none twice, no photo twice, none skipped after a failure. */
export class Pager extends Emitter {
  #fetch;
  #signal;
  #ahead;
  #cursor = null;
  #loading = null;
  #known = new Set();
  /** All photos so far. */
  items = [];
  hasMore = true;

  /** `ahead` is how many photos before the end the next page is asked for. */
  constructor(fetch, { signal, ahead = 10 } = {}) {
    super();
    this.#fetch = fetch;
    this.#signal = signal;
    this.#ahead = ahead;
  }

  get isLoading() {
    return this.#loading !== null;
  }

  /** The next page, without what was there before; null after the last one. After a failure it may be asked again. */
  next() {
    this.#loading ??= this.#load().finally(() => (this.#loading = null));
    return this.#loading;
  }

  /** Says that the photo at `index` is seen, so that the next page is there in time. Failures are told as `problem`. */
  reached(index) {
    if (this.#loading || !this.hasMore || index < this.items.length - this.#ahead) return;
    this.next().catch((problem) => this.emit('problem', problem));
  }

  async *[Symbol.asyncIterator]() {
    for (let page = await this.next(); page; ) {
      // The next one is on its way while this one is used; its failure is told when it is asked for.
      const next = this.next();
      next.catch(() => {});
      yield page;
      page = await next;
    }
  }

  async #load() {
    if (!this.hasMore) return null;
    const { items, page } = await this.#fetch(this.#cursor, { signal: this.#signal });
    const fresh = items.filter(({ id }) => !this.#known.has(id) && this.#known.add(id));
    this.items.push(...fresh);
    [this.#cursor, this.hasMore] = [page.nextCursor, page.hasMore];
    const result = { items: fresh, page };
    this.emit('page', result);
    return result;
  }
}

/**
 * Loads pictures while they are near the screen, `atOnce` at a time. A load is cancelled when its image leaves, so that
 * the service can cancel its own. `data-state` of an image is `waiting`, `loading`, `loaded` or `failed`.
 */
export class ImageLoader {
  #observer;
  #onGivenUp;
  #atOnce;
  #wanted = new Set();
  #loading = new Set();

  constructor({ root = null, margin = '50% 0px', atOnce = 3, onGivenUp = () => {} } = {}) {
    this.#atOnce = atOnce;
    this.#onGivenUp = onGivenUp;
    this.#observer = new IntersectionObserver((entries) => entries.forEach((entry) => this.#see(entry)), {
      root,
      rootMargin: margin,
    });
  }

  /** Watches an image; it loads `source` when it comes near. */
  watch(image, source) {
    image.dataset.source = source;
    image.dataset.state = 'waiting';
    image.addEventListener('load', () => this.#settle(image, 'loaded'));
    image.addEventListener('error', () => image.hasAttribute('src') && this.#settle(image, 'failed'));
    this.#observer.observe(image);
  }

  /** Tries again what has failed. */
  retry(image) {
    image.removeAttribute('src');
    this.#wanted.add(image);
    this.#loadNext();
  }

  /** Forgets images; what is on its way is given up. */
  clear(images) {
    for (const image of images) {
      this.#observer.unobserve(image);
      this.#giveUp(image);
    }
  }

  #see({ target: image, isIntersecting }) {
    if (!isIntersecting) return this.#giveUp(image);
    if (image.dataset.state === 'loaded') return;
    this.#wanted.add(image);
    this.#loadNext();
  }

  #loadNext() {
    for (const image of this.#wanted) {
      if (this.#loading.size >= this.#atOnce) return;
      this.#wanted.delete(image);
      this.#loading.add(image);
      image.dataset.state = 'loading';
      image.src = image.dataset.source;
    }
  }

  /** Without a source nobody wants the bytes any more, and the browser closes the request. */
  #giveUp(image) {
    this.#wanted.delete(image);
    if (!this.#loading.delete(image)) return;
    image.removeAttribute('src');
    image.dataset.state = 'waiting';
    this.#onGivenUp(image);
    this.#loadNext();
  }

  #settle(image, state) {
    image.dataset.state = state;
    this.#loading.delete(image);
    this.#loadNext();
  }
}
