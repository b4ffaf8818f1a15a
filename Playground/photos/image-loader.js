// Loads pictures while they can be seen, and only then: a picture that leaves the screen before it has come is given up,
// so that the service may give up fetching it as well.

/** How far outside the list a picture is worth loading, as a margin of an intersection observer. */
const MARGIN = '50% 0px';

export class ImageLoader {
  #observer;
  #onGivenUp;

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
    this.#load(image);
  }

  /** Forgets every picture; what is on its way is given up. */
  clear(images) {
    for (const image of images) {
      this.#observer.unobserve(image);
      this.#giveUp(image);
    }
  }

  #see({ target: image, isIntersecting }) {
    if (isIntersecting && image.dataset.state !== 'loaded') this.#load(image);
    else if (!isIntersecting) this.#giveUp(image);
  }

  #load(image) {
    if (image.dataset.state === 'loading') return;
    image.dataset.state = 'loading';
    image.src = image.dataset.source;
  }

  /** Without a source nobody wants the bytes any more, and the browser closes the request. */
  #giveUp(image) {
    if (image.dataset.state !== 'loading') return;
    image.removeAttribute('src');
    image.dataset.state = 'waiting';
    this.#onGivenUp();
  }

  #settle(image, state) {
    image.dataset.state = state;
  }
}
