// Tabs: one stop of the Tab key; the arrow keys select.

export class Tabs {
  #tabs;
  #onSelect;

  /** Calls `onSelect(tab)` when one of the tabs in `root` is selected by the user. */
  constructor(root, onSelect) {
    this.#tabs = [...root.querySelectorAll('[role="tab"]')];
    this.#onSelect = onSelect;
    for (const tab of this.#tabs) {
      tab.addEventListener('click', () => this.#choose(tab));
      tab.addEventListener('keydown', (event) => this.#key(event, tab));
    }
  }

  /** Marks a tab as the selected one; with null none is selected, and the first one is the stop. */
  select(tab) {
    for (const other of this.#tabs) {
      other.setAttribute('aria-selected', String(other === tab));
      other.tabIndex = other === (tab ?? this.#tabs[0]) ? 0 : -1;
    }
  }

  #choose(tab) {
    this.select(tab);
    this.#onSelect(tab);
  }

  /** The arrow keys select the next or previous tab. */
  #key(event, tab) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = this.#tabs.at((this.#tabs.indexOf(tab) + step) % this.#tabs.length);
    next.focus();
    this.#choose(next);
  }
}
