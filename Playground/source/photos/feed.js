// The pages of the feed or of a search, with placeholders while they load and a message after a failure.

import { ImageLoader } from '/client/follow.js';
import { element, part } from '../shared/dom.js';
import { rovingFocus } from '../shared/roving-focus.js';
import { Detail } from './detail.js';
import { photoCell } from './photo-cell.js';
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
  #pager = null;
  #controller = null;
  #timer = 0;
  #isNear = false;

  constructor(device, springbar, { scrollToTop }) {
    this.#photos = springbar.photos;
    this.#scrollToTop = scrollToTop;
    this.#scroller = part(device, 'list-photos');
    this.#list = part(device, 'photos');
    this.#foot = part(device, 'photos-foot');
    this.#status = new StatusLine(document, springbar);
    this.#loader = new ImageLoader({ root: this.#scroller, onGivenUp: () => this.#status.noteGivenUp() });
    this.#detail = new Detail(document, this.#photos);
    rovingFocus(this.#list, '.photo-open');
    new SearchForm(device, (source) => this.show(source));
    this.#begin({});
    // Loads two screens ahead, so that the end is rarely visible.
    const observer = new IntersectionObserver(([entry]) => this.#approach(entry.isIntersecting), {
      root: this.#scroller,
      rootMargin: '0px 0px 150% 0px',
    });
    observer.observe(this.#foot);
  }

  /** Shows another source: `{}` for the feed, or `{ query, orientation, color }`. */
  show(source) {
    this.#loader.clear(this.#list.querySelectorAll('.photo-image'));
    this.#list.replaceChildren();
    this.#scrollToTop();
    this.#begin(source);
    this.#load();
  }

  #begin(source) {
    clearTimeout(this.#timer);
    this.#controller?.abort();
    this.#status.tellStale(null);
    this.#controller = new AbortController();
    this.#pager = this.#photos.pager({ ...source, limit: PAGE, signal: this.#controller.signal });
  }

  #approach(isNear) {
    this.#isNear = isNear;
    if (isNear && this.#foot.dataset.state !== 'failed') this.#load();
  }

  async #load() {
    const pager = this.#pager;
    if (pager.isLoading || !pager.hasMore) return;
    clearTimeout(this.#timer);
    this.#say('loading');
    try {
      const page = await pager.next();
      if (pager !== this.#pager) return;
      this.#append(page);
      // After a short page the end may still be visible, and the observer reports no change.
      if (pager.hasMore && this.#isNear) requestAnimationFrame(
        () => this.#isNear && this.#load(),
      );
    } catch (problem) {
      if (pager !== this.#pager) return;
      this.#say('failed', problem);
      // The pager is still at the failed page, so a retry leaves no gap.
      if (problem.retryAfter) this.#timer = setTimeout(() => this.#load(), Math.min(2 ** 31 - 1, problem.retryAfter * 1000));
    }
    this.#status.refresh();
  }

  /** The pressed button goes away, so its focus goes to the next one, or to the first photo that it has loaded. */
  async #retry() {
    const { length } = this.#list.children;
    await this.#load();
    if (document.activeElement !== document.body) return;
    const next = this.#foot.querySelector('button') ?? this.#list.children[length]?.querySelector('.photo-open');
    next?.focus({ preventScroll: true });
  }

  #append({ items, page }) {
    const width = this.#list.clientWidth;
    for (const photo of items) {
      const { cell, image } = photoCell(photo, {
        onOpen: (chosen) => this.#detail.open(chosen),
        onRetry: (failed) => this.#loader.retry(failed),
      });
      this.#list.append(cell);
      this.#loader.watch(image, this.#photos.imageURL(photo, { width, scale: Math.min(2, devicePixelRatio) }));
    }
    const { hasMore, items: all } = this.#pager;
    this.#say(hasMore ? 'more' : all.length === 0 ? 'empty' : 'end');
    if (page.stale) this.#status.tellStale(page.ageSeconds);
  }

  #say(state, problem) {
    this.#foot.dataset.state = state;
    this.#list.setAttribute('aria-busy', String(state === 'loading'));
    const content = {
      loading: () => [
        element('span', { class: 'skeleton' }),
        element('span', { class: 'visually-hidden' }, 'Loading photos'),
      ],
      more: () => [],
      end: () => [element('p', {}, 'These are all photos.')],
      empty: () => [element('p', {}, 'No photo fits. Try another word, or fewer filters.')],
      failed: () => [
        element('p', { class: 'foot-title' }, ...failure(problem).slice(0, 1)),
        element('p', {}, ...failure(problem).slice(1)),
        isPaused(problem) ? null : element(
          'button',
          { type: 'button', class: 'button', onclick: () => this.#retry() },
          'Try again',
        ),
      ],
    }[state]();
    this.#foot.replaceChildren(...content.filter(Boolean));
  }
}

/** Returns whether the hour's calls are used up, and a retry cannot succeed soon. A proxy has pauses of its own. */
function isPaused({ code, retryAfter }) {
  return code === 'upstream-rate-limited' && retryAfter > 30;
}

/** Returns the text of a problem, with the time of the next attempt. */
function failure(problem) {
  if (isPaused(problem)) return [
    'Photos paused: the hour’s calls are used up.',
    `Resets in ${duration(problem.retryAfter)}. Photos that were loaded stay.`,
  ];
  if (problem.status === 0) return ['The service does not answer.', 'Check that it runs, then try again.'];
  return ['The photos did not load.', problem.message];
}

/** Returns a number of seconds as text. */
export function duration(seconds) {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
