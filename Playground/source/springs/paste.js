// The field for pasted CSS and code.

import { element, figure, part } from '../shared/dom.js';
import { nearestSpring, readEasing } from './nearest.js';
import { platformOf } from './platforms.js';
import { readSnippet } from './snippet.js';

/** Calls `take(spring)` with the spring of what is pasted in the lab `root`, and says what was read. */
export function pasteField(root, conventions, take) {
  const field = part(root, 'paste');
  const note = part(root, 'paste-note');
  const titles = new Map(conventions.map(({ id, title }) => [id, title]));

  field.addEventListener('input', () => {
    const text = field.value.trim();
    note.replaceChildren(...(text ? read(text) : []));
  });

  function read(text) {
    const easing = readEasing(text);
    if (easing) return readAsEasing(easing);
    const spring = readSnippet(text, conventions);
    if (!spring) return ['No spring in it: paste a linear(), a cubic-bezier(), or a spring of a platform.'];
    if (spring.missing) return [`The value of ${spring.missing} is missing.`];
    take(spring);
    return ['Read as ', element('strong', {}, platformOf(spring.convention)), `: ${titles.get(spring.convention)}.`];
  }

  function readAsEasing(easing) {
    const { distance, ...parameters } = nearestSpring(easing);
    take({ convention: 'wwdc', parameters });
    const time = `${figure(easing.duration * 1000, 0)} ms${easing.isAssumed ? ', which is assumed: add a time' : ''}`;
    return [`The nearest spring is at most ${figure(distance * 100, 1)} % of the way off, over ${time}.`];
  }
}
