/**
 * Loads pictures while they are near the screen, `atOnce` at a time. A load is cancelled when its image leaves the
 * screen, so that the service can cancel its own. The `data-state` of an image is `waiting`, `loading`, `loaded` or
 * `failed`.
 */
export class ImageLoader {
  #observer;
  #onGivenUp;
  #atOnce;
  #wanted = new Set();
  #loading = new Set();
  #onLoad = ({ currentTarget }) => this.#settle(currentTarget, 'loaded');
  #onError = ({ currentTarget }) => currentTarget.hasAttribute('src') && this.#settle(currentTarget, 'failed');

  constructor({ root = null, margin = '50% 0px', atOnce = 3, onGivenUp = () => {} } = {}) {
    this.#atOnce = atOnce;
    this.#onGivenUp = onGivenUp;
    this.#observer = new IntersectionObserver((entries) => entries.forEach((entry) => this.#see(entry)), {
      root,
      rootMargin: margin,
    });
  }

  /** Observes an image, which loads `source` when it comes near the screen, in place of an earlier one. */
  watch(image, source) {
    // An observer tells nothing new of an image that it observes.
    this.clear([image]);
    image.dataset.source = source;
    image.dataset.state = 'waiting';
    image.addEventListener('load', this.#onLoad);
    image.addEventListener('error', this.#onError);
    this.#observer.observe(image);
  }

  /** Loads failed images again. */
  retry(image) {
    image.removeAttribute('src');
    this.#wanted.add(image);
    this.#loadNext();
  }

  /** Removes images and cancels their loads. */
  clear(images) {
    for (const image of images) {
      this.#observer.unobserve(image);
      image.removeEventListener('load', this.#onLoad);
      image.removeEventListener('error', this.#onError);
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

  /** Without a source, the browser closes the request. */
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
