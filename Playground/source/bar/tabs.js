// The tabs at the bottom of the bar, which select the list.

export class Tabs {
  #tabs;
  #onSelect;

  constructor(root, onSelect) {
    this.#tabs = [...root.querySelectorAll('[role="tab"]')];
    this.#onSelect = onSelect;
    for (const tab of this.#tabs) {
      tab.addEventListener('click', () => this.select(tab));
      tab.addEventListener('keydown', (event) => this.#key(event, tab));
    }
  }

  select(tab) {
    for (const other of this.#tabs) {
      other.setAttribute('aria-selected', String(other === tab));
      other.tabIndex = other === tab ? 0 : -1;
    }
    this.#onSelect(tab.dataset.list);
  }

  /** The arrow keys select the next or previous tab. */
  #key(event, tab) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = this.#tabs.at((this.#tabs.indexOf(tab) + step) % this.#tabs.length);
    next.focus();
    this.select(next);
  }
}
