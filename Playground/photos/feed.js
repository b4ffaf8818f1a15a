// The feed: page after page by cursor, or the pages of a search, with something to see while it loads and when it fails.

import { element, part } from '../dom.js';
import { rovingFocus } from '../roving-focus.js';
import { Detail } from './detail.js';
import { ImageLoader } from './image-loader.js';
import { photoCell, pictureAddress } from './photo-cell.js';
import { SearchForm } from './search-form.js';
import { StatusLine } from './status-line.js';

const PAGE = 10;

export class Feed {
  #photos;
  #list;
  #foot;
  #scroller;
  #loader;
  #status;
  #detail;
  #scrollToTop;
  #source = {};
  #cursor = null;
  #hasMore = true;
  #request = null;
  #seen = new Set();
  #isNear = false;

  constructor(device, photos, { scrollToTop }) {
    this.#photos = photos;
    this.#scrollToTop = scrollToTop;
    this.#scroller = part(device, 'list-photos');
    this.#list = part(device, 'photos');
    this.#foot = part(device, 'photos-foot');
    this.#status = new StatusLine(document, photos);
    this.#loader = new ImageLoader(this.#scroller, () => this.#status.noteGivenUp());
    this.#detail = new Detail(document, photos);
    rovingFocus(this.#list, '.photo-open');
    new SearchForm(device, (source) => this.show(source));
    // Two screens ahead, so that a steady reader never sees the end.
    const observer = new IntersectionObserver(([entry]) => this.#approach(entry.isIntersecting), {
      root: this.#scroller,
      rootMargin: '0px 0px 150% 0px',
    });
    observer.observe(this.#foot);
  }

  /** Shows another source from its beginning: `{}` for the feed, or `{ query, orientation, color }`. */
  show(source) {
    this.#request?.abort();
    this.#request = null;
    this.#loader.clear(this.#list.querySelectorAll('.photo-image'));
    this.#source = source;
    this.#cursor = null;
    this.#hasMore = true;
    this.#seen.clear();
    this.#list.replaceChildren();
    this.#scrollToTop();
    this.#load();
  }

  #approach(isNear) {
    this.#isNear = isNear;
    if (isNear) this.#load();
  }

  async #load() {
    if (this.#request || !this.#hasMore) return;
    const request = (this.#request = new AbortController());
    this.#say('loading');
    try {
      const answer = await this.#photos.page(
        { ...this.#source, cursor: this.#cursor, limit: PAGE },
        { signal: request.signal },
      );
      this.#append(answer);
      this.#request = null;
      // A short page may leave the end in sight, where the observer has nothing new to tell.
      if (this.#hasMore && this.#isNear) requestAnimationFrame(() => this.#isNear && this.#load());
    } catch (error) {
      if (request.signal.aborted) return;
      this.#request = null;
      // The cursor is still that of the page that failed: trying again leaves no hole.
      this.#say('failed', error);
    }
    this.#status.refresh();
  }

  #append({ items, page }) {
    this.#cursor = page.nextCursor;
    this.#hasMore = page.hasMore;
    const width = this.#list.clientWidth;
    for (const photo of items) {
      if (this.#seen.has(photo.id)) continue;
      this.#seen.add(photo.id);
      const { cell, image } = photoCell(photo, {
        onOpen: (chosen) => this.#detail.open(chosen),
        onRetry: (failed) => this.#loader.retry(failed),
      });
      this.#list.append(cell);
      this.#loader.watch(image, pictureAddress(photo, width));
    }
    this.#say(this.#hasMore ? 'more' : this.#seen.size === 0 ? 'empty' : 'end');
    if (page.stale) this.#status.tellStale(page.ageSeconds);
  }

  #say(state, error) {
    this.#foot.dataset.state = state;
    this.#list.setAttribute('aria-busy', String(state === 'loading'));
    const content = {
      loading: () => [element('span', { class: 'skeleton' }), element('span', { class: 'visually-hidden' }, 'Loading photos')],
      more: () => [],
      end: () => [element('p', {}, 'That is all there is.')],
      empty: () => [element('p', {}, 'No photo fits.')],
      failed: () => [
        element('p', { class: 'foot-title' }, 'The photos did not come.'),
        element('p', {}, error.message),
        element('button', { type: 'button', class: 'button', onclick: () => this.#load() }, 'Try again'),
      ],
    }[state]();
    this.#foot.replaceChildren(...content);
  }
}
