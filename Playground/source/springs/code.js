// The spring as code: the tabs of six platforms and the choice of another one, with what each draws; the other
// spellings are collapsed.

import { codeText } from '../shared/code-text.js';
import { copyButton } from '../shared/copy-button.js';
import { element, figure, part } from '../shared/dom.js';
import { rovingFocus } from '../shared/roving-focus.js';
import { Tabs } from '../shared/tabs.js';
import { platformOf } from './platforms.js';

const KEY = 'springbar.platform';
const FIRST = 'SwiftUI';
const CSS = 'CSS';

export class Code {
  #root;
  #titles;
  #select;
  #tabs;
  #list;
  #platform;
  #answer = null;
  #rows = new Map();

  /** `root` is the lab; `titles` maps a convention to its title. */
  constructor(root, titles) {
    this.#root = root;
    this.#titles = titles;
    this.#select = part(root, 'platform');
    this.#list = root.querySelector('.code-tabs');
    this.#tabs = new Tabs(this.#list, ({ dataset }) => this.#choose(dataset.platform));
    const names = [...new Set([...titles.keys()].map(platformOf))];
    const others = names.filter((name) => name !== 'Physics' && !this.#tabOf(name));
    this.#select.append(...others.map((name) => element('option', {}, name)));
    this.#select.addEventListener('change', () => this.#choose(this.#select.value || FIRST));
    const kept = remembered();
    this.#platform = [CSS, ...names].includes(kept) ? kept : FIRST;
    this.#mark();
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
    // A platform of which no spelling draws this spring.
    for (const tab of this.#list.children) {
      const own = Object.keys(conventions).filter((id) => platformOf(id) === tab.dataset.platform);
      tab.classList.toggle('is-off', own.length > 0 && !own.some((id) => conventions[id].exact));
    }
    part(this.#root, 'code').setAttribute('aria-busy', 'false');
  }

  #tabOf(name) {
    return [...this.#list.children].find(({ dataset }) => dataset.platform === name) ?? null;
  }

  #choose(name) {
    this.#platform = name;
    remember(name);
    this.#mark();
    this.#arrange();
  }

  /** Marks the choice, and shows the panel of CSS or that of a platform. */
  #mark() {
    const tab = this.#tabOf(this.#platform);
    this.#tabs.select(tab);
    this.#select.value = tab ? '' : this.#platform;
    const panel = this.#root.querySelector('.code-panel');
    if (tab) panel.setAttribute('aria-labelledby', tab.id);
    else panel.removeAttribute('aria-labelledby');
    if (tab) panel.removeAttribute('aria-label');
    else panel.setAttribute('aria-label', this.#platform);
    panel.querySelector('.linear').hidden = this.#platform !== CSS;
    part(this.#root, 'my-snippets').hidden = this.#platform === CSS;
  }

  #arrange() {
    const rows = [...this.#rows].map(([id, { node }]) => ({ node, isMine: platformOf(id) === this.#platform }));
    // The other conventions of the same platform are first among the others.
    const [first, ...more] = rows.filter(({ isMine }) => isMine);
    const others = [...more, ...rows.filter(({ isMine }) => !isMine)].map(({ node }) => node);
    part(this.#root, 'my-snippets').replaceChildren(...(first ? [first.node] : []));
    part(this.#root, 'snippets').replaceChildren(...others);
    part(this.#root, 'others-count').textContent = String(others.length);
  }
}

/** Returns a card; `answer()` returns the newest response, for the button. */
function snippet(id, title, answer) {
  const badge = element('span', { class: 'badge' });
  const code = element('code', {});
  const pre = element('pre', {}, code);
  const drawing = element('p', { class: 'drawing' });
  const warnings = element('ul', { class: 'warnings' });
  const copy = copyButton(`the code for ${title}`, () => answer().snippet);
  const node = element(
    'li',
    { class: 'snippet', dataset: { convention: id } },
    element(
      'div',
      { class: 'snippet-head' },
      element('h3', {}, platformOf(id)),
      element('p', { class: 'snippet-title' }, codeText(title)),
      badge,
      copy,
    ),
    pre,
    drawing,
    warnings,
  );
  return {
    node,
    show(one) {
      const { snippet: text, exact, maxDistance, warnings: told } = one;
      const isPossible = Boolean(text);
      badge.className = exact ? 'badge' : 'badge is-off';
      badge.textContent = fidelity(one);
      copy.hidden = pre.hidden = !isPossible;
      code.replaceChildren(...codeText(text ?? ''));
      drawing.textContent = drawn(one, platformOf(id));
      warnings.replaceChildren(...told.map(({ detail }) => element('li', {}, detail)));
    },
  };
}

function fidelity({ snippet: text, exact, maxDistance, drawn: other }) {
  if (exact) return other && maxDistance >= 1e-4 ? 'exact parameters' : 'exact';
  if (!text) return 'not available';
  if (maxDistance === null || maxDistance === undefined) return 'not exact';
  return maxDistance < 1e-4 ? 'off by less than 0.01 %' : `off by ${figure(maxDistance * 100, 2)} %`;
}

/** Returns a sentence if a platform draws something else than the formula of its parameters. */
function drawn({ drawn: other, maxDistance }, platform) {
  if (!other) return '';
  if (maxDistance === null) return `${platform} does not draw this spring.`;
  if (maxDistance < 1e-4) return '';
  const time = other.at === null ? '' : `, ${figure(other.at, 3)} s after the start`;
  return `${platform} draws something else: up to ${figure(maxDistance * 100, 1)} % of the way off${time}.`;
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
