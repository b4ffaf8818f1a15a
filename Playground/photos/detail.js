// A photo by itself: large, with what is known of it and with whose it is.

import { element, figure, part } from '../dom.js';
import { likeness, pictureAddress } from './photo-cell.js';

const SOURCES = {
  description: 'The photographer’s own words.',
  altDescription: 'The photographer wrote nothing; these are the library’s words.',
  user: 'Nobody described it; this is whose it is.',
};

export class Detail {
  #photos;
  #dialog;

  constructor(root, photos) {
    this.#photos = photos;
    this.#dialog = part(root, 'detail');
    // The library wants to know which photos are taken.
    part(this.#dialog, 'detail-download').addEventListener('click', () => {
      photos.trackDownload(this.#dialog.dataset.id).catch((error) => {
        part(this.#dialog, 'detail-note').textContent = error.message;
      });
    });
    part(this.#dialog, 'detail-close').addEventListener('click', () => this.#dialog.close());
    // A click beside the content closes it; the keyboard has Escape.
    this.#dialog.addEventListener('click', (event) => event.target === this.#dialog && this.#dialog.close());
    // What is still loading when it closes is given up.
    this.#dialog.addEventListener('close', () => part(this.#dialog, 'detail-picture').replaceChildren());
  }

  /** Shows what the list knows, and then what the service knows. */
  async open(photo) {
    this.#draw(photo);
    this.#dialog.dataset.id = photo.id;
    this.#dialog.showModal();
    try {
      const known = await this.#photos.photo(photo.id);
      if (this.#dialog.open && this.#dialog.dataset.id === photo.id) this.#describe(known);
    } catch (error) {
      part(this.#dialog, 'detail-note').textContent = error.message;
    }
  }

  #draw(photo) {
    const picture = part(this.#dialog, 'detail-picture');
    picture.style.aspectRatio = String(photo.aspectRatio);
    picture.style.backgroundColor = photo.color ?? '';
    const image = element('img', { class: 'photo-image', alt: photo.description, dataset: { state: 'loading' } });
    image.addEventListener('load', () => (image.dataset.state = 'loaded'));
    image.addEventListener('error', () => {
      if (!image.isConnected) return;
      part(this.#dialog, 'detail-note').textContent = 'The picture did not come.';
    });
    image.src = pictureAddress(photo, Math.min(960, window.innerWidth));
    picture.replaceChildren(likeness(photo), image);
    this.#describe(photo);
  }

  #describe(photo) {
    part(this.#dialog, 'detail-title').textContent = photo.description;
    part(this.#dialog, 'detail-download').href = photo.images.full.url;
    part(this.#dialog, 'detail-source').textContent = SOURCES[photo.descriptionSource];
    part(this.#dialog, 'detail-note').textContent = '';
    const { attribution } = photo;
    part(this.#dialog, 'detail-by').replaceChildren(
      'Photo by ',
      element('a', { href: attribution.photographerUrl, rel: 'noreferrer' }, photo.user.name),
      ' on ',
      element('a', { href: attribution.unsplashUrl, rel: 'noreferrer' }, 'Unsplash'),
    );
    const facts = [
      ['Size', `${photo.width} × ${photo.height}`],
      ['Likes', figure(photo.likes, 0)],
      ['Added', photo.createdAt ? photo.createdAt.slice(0, 10) : 'unknown'],
      ['Id', photo.id],
    ];
    part(this.#dialog, 'detail-facts').replaceChildren(
      ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
    );
  }
}
