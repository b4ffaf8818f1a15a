// The spring as code for every platform: the selected one first, the others collapsed, each with its losses.

import { copyButton } from '../shared/copy-button.js';
import { element, figure, part } from '../shared/dom.js';
import { rovingFocus } from '../shared/roving-focus.js';
import { platformOf } from './platforms.js';

const KEY = 'springbar.platform';
const FIRST = 'SwiftUI';

export class Code {
  #root;
  #titles;
  #select;
  #answer = null;
  #rows = new Map();

  /** `root` is the lab; `titles` maps a convention to its title. */
  constructor(root, titles) {
    this.#root = root;
    this.#titles = titles;
    this.#select = part(root, 'platform');
    const platforms = [...new Set([...titles.keys()].map(platformOf))].filter((name) => !['Physics'].includes(name));
    this.#select.replaceChildren(...platforms.map((name) => element('option', {}, name)));
    const kept = remembered();
    this.#select.value = platforms.includes(kept) ? kept : FIRST;
    this.#select.addEventListener('change', () => {
      remember(this.#select.value);
      this.#arrange();
    });
    rovingFocus(part(root, 'snippets'), '.copy');
  }

  /** Shows the `conventions` of a response of `GET /v1/springs`. */
  show(conventions) {
    this.#answer = conventions;
    const isSame = [...this.#rows.keys()].join() === Object.keys(conventions).join();
    if (!isSame) this.#rows = new Map(
      Object.keys(conventions).map((id) => [id, snippet(id, this.#titles.get(id) ?? id, () => this.#answer[id])]),
    );
    for (const [id, one] of Object.entries(conventions)) this.#rows.get(id).show(one);
    if (!isSame) this.#arrange();
    part(this.#root, 'code').setAttribute('aria-busy', 'false');
  }

  #arrange() {
    const rows = [...this.#rows].map(([id, { node }]) => ({ node, isMine: platformOf(id) === this.#select.value }));
    // The other conventions of the same platform are first among the others.
    const [first, ...more] = rows.filter(({ isMine }) => isMine);
    const others = [...more, ...rows.filter(({ isMine }) => !isMine)].map(({ node }) => node);
    part(this.#root, 'my-snippets').replaceChildren(first.node);
    part(this.#root, 'snippets').replaceChildren(...others);
    part(this.#root, 'others-count').textContent = String(others.length);
  }
}

/** Returns a card; `answer()` returns the newest response, for the button. */
function snippet(id, title, answer) {
  const badge = element('span', { class: 'badge' });
  const code = element('code', {});
  const pre = element('pre', {}, code);
  const warnings = element('ul', { class: 'warnings' });
  const copy = copyButton(`the code for ${title}`, () => answer().snippet);
  const node = element(
    'li',
    { class: 'snippet', dataset: { convention: id } },
    element('div', { class: 'snippet-head' }, element('h4', {}, platformOf(id)), badge, copy),
    element('p', { class: 'snippet-title' }, title),
    pre,
    warnings,
  );
  return {
    node,
    show({ snippet: text, exact, maxDistance, warnings: told }) {
      const isPossible = Boolean(text);
      badge.className = exact ? 'badge' : 'badge is-off';
      badge.textContent = fidelity(isPossible, exact, maxDistance);
      copy.hidden = pre.hidden = !isPossible;
      code.textContent = text ?? '';
      warnings.replaceChildren(...told.map(({ detail }) => element('li', {}, detail)));
    },
  };
}

function fidelity(isPossible, exact, maxDistance) {
  if (exact) return 'exact';
  if (!isPossible) return 'not available';
  if (maxDistance === null || maxDistance === undefined) return 'not exact';
  return maxDistance < 1e-4 ? 'off by less than 0.01 %' : `off by ${figure(maxDistance * 100, 2)} %`;
}

/** A browser may refuse to store data. */
function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function remember(name) {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // The choice is then kept until the page is left.
  }
}
