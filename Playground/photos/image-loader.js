// Loads pictures while they can be seen, and only then: a picture that leaves the screen before it has come is given up,
// so that the service may give up fetching it as well.

/** How far outside the list a picture is worth loading, as a margin of an intersection observer. */
const MARGIN = '50% 0px';
/** Loads at a time: a browser opens six connections to a host, and the bar's events and stream must not wait for pictures. */
const AT_ONCE = 3;

export class ImageLoader {
  #observer;
  #onGivenUp;
  #wanted = new Set();
  #loading = new Set();

  /** `scroller` is the list; `onGivenUp()` is called for each load that was cancelled. */
  constructor(scroller, onGivenUp = () => {}) {
    this.#onGivenUp = onGivenUp;
    this.#observer = new IntersectionObserver((entries) => entries.forEach((entry) => this.#see(entry)), {
      root: scroller,
      rootMargin: MARGIN,
    });
  }

  /** Watches a picture; it loads `source` when it comes near. */
  watch(image, source) {
    image.dataset.source = source;
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

  /** Forgets every picture; what is on its way is given up. */
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
      if (this.#loading.size >= AT_ONCE) return;
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
    this.#onGivenUp();
    this.#loadNext();
  }

  #settle(image, state) {
    image.dataset.state = state;
    this.#loading.delete(image);
    this.#loadNext();
  }
}
