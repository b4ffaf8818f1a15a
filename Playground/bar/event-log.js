// The list of events, newest first. Each is a button that leads to its moment.

import { element, figure } from '../dom.js';
import { rovingFocus } from '../roving-focus.js';

const SHOWN = 80;

export class EventLog {
  #list;
  #history;
  #onSelect;
  #isAsked = false;
  #selected = null;

  constructor(list, history, onSelect) {
    this.#list = list;
    this.#history = history;
    this.#onSelect = onSelect;
    rovingFocus(list, 'button');
  }

  /** Marks the event that is looked at; null for the present. */
  select(sequence) {
    this.#selected = sequence;
    this.update();
  }

  /** Shows what is new, at most once a frame. */
  update() {
    if (this.#isAsked) return;
    this.#isAsked = true;
    requestAnimationFrame(() => {
      this.#isAsked = false;
      this.#draw();
    });
  }

  #draw() {
    const all = this.#history.entries;
    const end = this.#selected === null ? all.length : all.findIndex((entry) => entry.sequence > this.#selected + SHOWN / 2);
    const stop = end < 0 ? all.length : end;
    const rows = all.slice(Math.max(0, stop - SHOWN), stop).reverse();
    const known = new Map([...this.#list.children].map((row) => [row.dataset.sequence, row]));
    this.#list.replaceChildren(...rows.map((entry) => known.get(String(entry.sequence)) ?? this.#row(entry)));
    for (const row of this.#list.children) {
      const button = row.firstElementChild;
      const isCurrent = Number(row.dataset.sequence) === this.#selected;
      if (isCurrent) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    }
  }

  #row({ sequence, event, result }) {
    return element(
      'li',
      { dataset: { sequence } },
      element(
        'button',
        { type: 'button', onclick: () => this.#onSelect(sequence) },
        element('span', { class: 'log-number' }, String(sequence)),
        element('span', { class: 'log-what' }, words(event), outcome(result)),
        element('span', { class: 'log-height' }, figure(result.state.height, 1)),
      ),
    );
  }
}

/** An event in words. */
export function words(event) {
  switch (event.type) {
    case 'contentOffset':
      return `offset ${figure(event.contentOffset.y, 1)}`;
    case 'panGesture':
      return `pan ${event.state}`;
    case 'contentSize':
      return `content ${figure(event.contentSize.height, 0)}`;
    case 'frame':
      return `frame ${figure(event.frame.height, 0)}`;
    case 'expand':
      return event.on ? 'expand' : 'collapse';
    case 'set':
      return `list ${event.scrollable.id}`;
    default:
      return event.type;
  }
}

function outcome(result) {
  const command = result.commands.at(-1);
  if (command) return element('em', {}, ` → ${figure(command.y, 1)}`);
  const crossing = result.crossings?.at(-1);
  return crossing ? element('em', {}, ` ${crossing.to}`) : null;
}
