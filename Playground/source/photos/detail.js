// The detail of a photo: large, with its description and its photographer.

import { element, figure, part } from '../shared/dom.js';
import { likeness } from './photo-cell.js';

const SOURCES = {
  description: 'Described by the photographer.',
  altDescription: 'Described in the library’s words.',
  user: 'It has no description; this is its photographer.',
};

export class Detail {
  #photos;
  #dialog;
  /** The element that had the focus before. */
  #opener = null;

  constructor(root, photos) {
    this.#photos = photos;
    this.#dialog = part(root, 'detail');
    // The library's terms require this.
    part(this.#dialog, 'detail-download').addEventListener('click', () => {
      const { id } = this.#dialog.dataset;
      photos.trackDownload(id).catch((error) => this.#note(id, error.message));
    });
    part(this.#dialog, 'detail-close').addEventListener('click', () => this.#dialog.close());
    // A click beside the content closes the dialog, as Escape does.
    this.#dialog.addEventListener('click', (event) => event.target === this.#dialog && this.#dialog.close());
    this.#dialog.addEventListener('close', () => {
      // Cancels a picture that is still loading.
      part(this.#dialog, 'detail-picture').replaceChildren();
      this.#opener?.focus();
    });
  }

  /** Shows the data of the list, and then the detail from the service. */
  async open(photo) {
    this.#opener = document.activeElement;
    this.#draw(photo);
    this.#dialog.dataset.id = photo.id;
    this.#dialog.showModal();
    part(this.#dialog, 'detail-close').focus();
    try {
      const known = await this.#photos.photo(photo.id);
      if (this.#dialog.open && this.#dialog.dataset.id === photo.id) this.#describe(known);
    } catch (error) {
      this.#note(photo.id, error.message);
    }
  }

  /** Shows a message about a photo, unless another one has been opened. */
  #note(id, message) {
    if (this.#dialog.dataset.id === id) part(this.#dialog, 'detail-note').textContent = message;
  }

  #draw(photo) {
    const picture = part(this.#dialog, 'detail-picture');
    picture.style.aspectRatio = String(photo.aspectRatio);
    picture.style.backgroundColor = photo.color ?? '';
    const image = element('img', { class: 'photo-image', alt: photo.description, dataset: { state: 'loading' } });
    image.addEventListener('load', () => (image.dataset.state = 'loaded'));
    image.addEventListener('error', () => {
      if (!image.isConnected) return;
      part(this.#dialog, 'detail-note').textContent = 'The picture did not load. Close this and open it again.';
    });
    image.src = this.#photos.imageURL(
      photo,
      { width: Math.min(960, window.innerWidth), scale: Math.min(2, devicePixelRatio) },
    );
    picture.replaceChildren(likeness(photo), image);
    this.#describe(photo);
  }

  #describe(photo) {
    part(this.#dialog, 'detail-title').textContent = photo.description;
    part(this.#dialog, 'detail-download').href = photo.images.full.url;
    part(this.#dialog, 'detail-source').textContent = SOURCES[photo.descriptionSource];
    part(this.#dialog, 'detail-note').textContent = '';
    const facts = [
      ['Size', `${photo.width} × ${photo.height}`],
      ['Likes', figure(photo.likes, 0)],
      ['Added', photo.createdAt ? photo.createdAt.slice(0, 10) : 'unknown'],
      ['Id', photo.id],
    ];
    part(this.#dialog, 'detail-facts').replaceChildren(
      ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
    );
    const { attribution } = photo;
    // A link with the focus stays if the second response has the same link.
    const by = part(this.#dialog, 'detail-by');
    if (by.dataset.id === photo.id) return;
    by.dataset.id = photo.id;
    // A drawn picture has no photographer, and its credit no links.
    if (!attribution.text.includes(photo.user.name)) return by.replaceChildren(attribution.text);
    by.replaceChildren(
      'Photo by ',
      element('a', { href: attribution.photographerUrl, rel: 'noreferrer' }, photo.user.name),
      ' on ',
      element('a', { href: attribution.unsplashUrl, rel: 'noreferrer' }, 'Unsplash'),
    );
  }
}
