// The search field of the bar, and the rows of the expanded bar.

import { part } from '../shared/dom.js';

const PAUSE = 350;

export class SearchForm {
  #fields;
  #subjects;
  #filters;
  #timer = 0;
  #onChange;
  #last = '{}';

  /** Calls `onChange` with `{}` for the feed, or with a search. */
  constructor(device, onChange) {
    this.#onChange = onChange;
    this.#fields = [part(device, 'query'), part(device, 'query-large')];
    this.#filters = [part(device, 'orientation'), part(device, 'color')];
    this.#subjects = [...device.querySelectorAll('[data-subject]')];
    for (const field of this.#fields) {
      field.addEventListener('input', () => this.#type(field.value));
      field.form.addEventListener('submit', (event) => {
        event.preventDefault();
        this.#apply();
      });
    }
    for (const filter of this.#filters) filter.addEventListener('change', () => this.#apply());
    for (const subject of this.#subjects) subject.addEventListener('click', () => this.#choose(subject));
  }

  /** The small field of the bar and the large one of its rows have the same text. */
  #type(text) {
    for (const field of this.#fields) if (field.value !== text) field.value = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#apply(), PAUSE);
  }

  #choose(subject) {
    const isChosen = subject.getAttribute('aria-pressed') === 'true';
    this.#type(isChosen ? '' : subject.dataset.subject);
    this.#apply();
  }

  #apply() {
    clearTimeout(this.#timer);
    const query = this.#fields[0].value.trim();
    const [orientation, color] = this.#filters.map((filter) => filter.value || undefined);
    for (const filter of this.#filters) filter.disabled = query === '';
    for (const subject of this.#subjects) {
      subject.setAttribute('aria-pressed', String(subject.dataset.subject === query.toLowerCase()));
    }
    const source = query ? { query, orientation, color } : {};
    if (JSON.stringify(source) === this.#last) return;
    this.#last = JSON.stringify(source);
    this.#onChange(source);
  }
}
