// The spring in every platform's words, ready to paste, with what is lost on the way.

import { element, figure } from '../dom.js';
import { copyButton } from './copy-button.js';
import { platformOf } from './platforms.js';

/** Fills `root` with the `conventions` of an answer of `GET /v1/springs`; `titles` name them. */
export function showSnippets(root, conventions, titles) {
  root.replaceChildren(...Object.entries(conventions).map(([id, one]) => snippet(id, titles.get(id) ?? id, one)));
}

function snippet(id, title, { snippet: code, exact, maxDistance, warnings }) {
  const isPossible = code !== null && code !== undefined && code !== '';
  return element(
    'li',
    { class: 'snippet', dataset: { convention: id } },
    element(
      'div',
      { class: 'snippet-head' },
      element('h4', {}, platformOf(id)),
      element('span', { class: exact ? 'badge' : 'badge is-off' }, fidelity(isPossible, exact, maxDistance)),
      isPossible ? copyButton(`the code for ${title}`, () => code) : null,
    ),
    element('p', { class: 'snippet-title' }, title),
    isPossible ? element('pre', {}, element('code', {}, code)) : null,
    warnings.length > 0
      ? element('ul', { class: 'warnings' }, warnings.map(({ detail }) => element('li', {}, detail)))
      : null,
  );
}

function fidelity(isPossible, exact, maxDistance) {
  if (exact) return 'exact';
  if (!isPossible) return 'cannot be said';
  if (maxDistance === null || maxDistance === undefined) return 'not exact';
  return maxDistance < 1e-4 ? 'off by less than 0.01 %' : `off by ${figure(maxDistance * 100, 2)} %`;
}
