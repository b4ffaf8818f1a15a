// A photo in the list: its blurred placeholder in its own proportions, and then the picture.

import { element } from '../shared/dom.js';

/** The limits of the proportions; other photos are cropped. */
const ASPECTS = { least: 0.8, most: 1.8 };

/** Returns `{ cell, image }` for a photo of the API; `onOpen` is called on a click, `onRetry(image)` for a retry. */
export function photoCell(photo, { onOpen, onRetry }) {
  const image = element('img', {
    class: 'photo-image',
    alt: '',
    decoding: 'async',
    dataset: { state: 'waiting' },
  });
  const frame = element('span', { class: 'photo-frame' }, likeness(photo), image);
  frame.style.aspectRatio = String(Math.min(ASPECTS.most, Math.max(ASPECTS.least, photo.aspectRatio)));
  frame.style.backgroundColor = photo.color ?? '';
  const open = element(
    'button',
    { type: 'button', class: 'photo-open', onclick: () => onOpen(photo) },
    frame,
    element('span', { class: 'photo-text', lang: '' }, photo.description),
    element('span', { class: 'photo-by' }, photo.user.name),
  );
  const retry = element(
    'button',
    { type: 'button', class: 'photo-retry', onclick: () => onRetry(image) },
    'The picture did not load. Try again',
  );
  return { cell: element('li', { class: 'photo', dataset: { id: photo.id } }, open, retry), image };
}

/** The service's placeholder: a few pixels, which the style sheet blurs. */
export function likeness(photo) {
  return element('img', { class: 'photo-likeness', src: photo.placeholder, alt: '', 'aria-hidden': 'true' });
}
