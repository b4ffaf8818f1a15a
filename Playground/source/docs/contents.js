// The index beside the content: all operations and problems, or the results of a search.

import { element } from '../shared/dom.js';
import { ranked, searchEntries } from './search.js';

/** Fills the index, and finds in it what is typed into the search field. */
export class Contents {
  #contract;
  #problems;
  #entries;
  #index;
  #search;
  #button;

  constructor(contract, problems, { index, search, button }) {
    this.#contract = contract;
    this.#problems = problems;
    this.#entries = searchEntries(contract, problems);
    this.#index = index;
    this.#search = search;
    this.#button = button;
    this.#show();
    this.open(search.value !== '');
    search.addEventListener('input', () => {
      this.#show();
      this.open(true);
    });
    button.addEventListener('click', () => this.open(!index.classList.contains('is-open')));
    document.addEventListener('keydown', (event) => this.#onKey(event));
  }

  /** Shows or hides the index on a small screen. */
  open(isOpen) {
    this.#index.classList.toggle('is-open', isOpen);
    this.#button.setAttribute('aria-expanded', String(isOpen));
  }

  /** Marks the entry of the page that is shown. */
  mark(id) {
    this.#marked = id;
    for (const link of this.#links) {
      if (link.dataset.id === id) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
  }

  #marked = null;

  get #links() {
    return [...this.#index.querySelectorAll('a')];
  }

  #show() {
    const words = this.#search.value.toLowerCase().split(/\s+/).filter(Boolean);
    this.#index.replaceChildren(...(words.length > 0 ? this.#results(words) : this.#groups()));
    this.mark(this.#marked);
  }

  #results(words) {
    const found = ranked(this.#entries, words);
    if (found.length === 0) {
      return [element('p', { class: 'quiet' }, 'Nothing fits. Try a path, a status, a parameter, a setting, or a word.')];
    }
    return [element('ol', { class: 'results', 'aria-label': 'Results' }, found.map((one) => item(one, one.note)))];
  }

  #groups() {
    const operations = this.#contract.tags.map((tag) => [
      tag,
      this.#contract.operations.filter((one) => one.tag === tag).map(
        ({ id, method, path }) => item({ id, href: `/docs#${id}`, mark: method, title: path }),
      ),
    ]);
    const problems = this.#problems.map(
      ({ code, status, type }) => item({ id: type, href: type, mark: String(status), title: code }),
    );
    const settings = item({ id: 'settings', href: '/docs#settings', mark: '§', title: 'Settings and operation' });
    return [
      ...[...operations, ['Problems', problems]].map(([title, items]) => element(
        'details',
        { open: title !== 'Problems' },
        element('summary', {}, `${title} (${items.length})`),
        element('ul', {}, items),
      )),
      element('ul', {}, settings),
    ];
  }

  /** `/` and Ctrl K (or ⌘ K) go to the search, arrows to its results, Enter to the first one, and Escape back. */
  #onKey(event) {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const isTyping = target.matches?.('input, textarea, select');
    const isShortcut = (ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k';
    if (document.querySelector('dialog[open]') || event.isComposing) return;
    if (isShortcut || (key === '/' && !isTyping && !ctrlKey && !metaKey)) {
      event.preventDefault();
      this.#search.focus();
      this.#search.select();
      return;
    }
    if (target !== this.#search && !this.#index.contains(target)) return;
    const action = { ArrowDown: () => this.#move(target, 1), ArrowUp: () => this.#move(target, -1), Escape: () => this.#leave() }[key]
      ?? (key === 'Enter' && target === this.#search ? () => this.#links[0]?.click() : null);
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** Moves the focus along the search field and the visible links. */
  #move(from, step) {
    const stops = [this.#search, ...this.#links.filter((link) => link.checkVisibility())];
    const place = stops.indexOf(from.closest?.('a') ?? from);
    stops[Math.min(stops.length - 1, Math.max(0, place + step))].focus();
  }

  /** Ends the search; without one, leaves the field. */
  #leave() {
    if (this.#search.value === '') return this.#search.blur();
    this.#search.value = '';
    this.#show();
    this.open(false);
    return this.#search.focus();
  }
}

function item({ id, href, mark, title }, note) {
  const kind = /^[A-Z]/.test(mark) ? mark.toLowerCase() : /^\d/.test(mark) ? 'problem' : 'text';
  return element(
    'li',
    {},
    element(
      'a',
      { href, dataset: { id } },
      element('span', { class: `method is-${kind}` }, mark),
      element('span', { class: 'entry' }, mark === '§' ? title : element('code', {}, title), note
        ? element('span', { class: 'entry-note' }, note)
        : null),
    ),
  );
}
