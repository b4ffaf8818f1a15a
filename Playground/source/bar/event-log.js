// The events by gesture, newest first. A gesture can be opened to show its events, and an event to show its state.

import { element, figure } from '../shared/dom.js';
import { oncePerFrame } from '../shared/latest.js';
import { rovingFocus } from '../shared/roving-focus.js';

const SHOWN = 40;

export class EventLog {
  #list;
  #history;
  #onSelect;
  #selected = null;
  #open = new Set();
  /** Shows new events, at most once a frame. */
  update = oncePerFrame(() => this.#draw());

  constructor(list, history, onSelect) {
    this.#list = list;
    this.#history = history;
    this.#onSelect = onSelect;
    rovingFocus(list, 'button');
  }

  /** Marks the selected event; null for the present. */
  select(sequence) {
    this.#selected = sequence;
    this.update();
  }

  #draw() {
    const groups = this.#history.gestures.slice(-SHOWN).reverse();
    const known = new Map([...this.#list.children].map((row) => [row.dataset.key, row]));
    this.#list.replaceChildren(...groups.map((group) => this.#row(group, known)));
  }

  #row({ name, entries }, known) {
    const first = entries[0].sequence;
    const has = (sequence) => sequence !== null && entries.some((entry) => entry.sequence === sequence);
    const isOpen = this.#open.has(first) || has(this.#selected);
    const key = [first, entries.length, isOpen, has(this.#selected) ? this.#selected : ''].join();
    if (known.has(key)) return known.get(key);
    const from = this.#history.barAt(first - 1)?.state.height;
    const to = entries.at(-1).result.state.height;
    const toggle = () => {
      if (entries.length === 1) return this.#onSelect(first);
      if (isOpen) this.#open.delete(first);
      else this.#open.add(first);
      this.#draw();
      this.#list.querySelector(`[data-first="${first}"] > button`)?.focus();
    };
    const head = element(
      'button',
      {
        type: 'button',
        onclick: toggle,
        'aria-expanded': entries.length > 1 ? String(isOpen) : null,
        'aria-current': entries.length === 1 && isOpen ? 'step' : null,
      },
      element(
        'span',
        { class: 'log-number' },
        entries.length > 1 ? `${first}–${entries.at(-1).sequence}` : String(first),
      ),
      element(
        'span',
        { class: 'log-what' },
        entries.length > 1 ? `${name}, ${entries.length} events` : words(entries[0].event),
        outcome(entries),
      ),
      element(
        'span',
        { class: 'log-height' },
        from === undefined || from === to ? figure(to, 1) : `${figure(from, 1)} → ${figure(to, 1)}`,
      ),
    );
    const events = isOpen && entries.length > 1 ? element('ol', {}, entries.map((entry) => this.#event(entry))) : null;
    return element('li', { dataset: { key, first } }, head, events);
  }

  #event({ sequence, event, result }) {
    return element(
      'li',
      { dataset: { sequence } },
      element(
        'button',
        {
          type: 'button',
          onclick: () => this.#onSelect(sequence),
          'aria-current': sequence === this.#selected ? 'step' : null,
        },
        element('span', { class: 'log-number' }, String(sequence)),
        element('span', { class: 'log-what' }, words(event)),
        element('span', { class: 'log-height' }, figure(result.state.height, 1)),
      ),
    );
  }
}

/** Returns the description of an event. */
export function words(event) {
  switch (event.type) {
    case 'contentOffset':
      return `offset ${figure(event.contentOffset.y, 1)}`;
    case 'panGesture':
      return `pan ${event.state}${event.velocity?.y ? ` at ${figure(event.velocity.y, 0)} pt/s` : ''}`;
    case 'contentSize':
      return `content ${figure(event.contentSize.height, 0)} pt`;
    case 'frame':
      return `frame ${figure(event.frame.height, 0)} pt`;
    case 'expand':
      return event.on ? 'expand' : 'collapse';
    case 'set':
      return `list ${event.scrollable.id}`;
    default:
      return event.type;
  }
}

/** Returns the result of a gesture: the snap, or the last state that was reached. */
function outcome(entries) {
  const snap = entries.findLast(({ result }) => result.explain?.rule === 'snapped');
  const crossing = entries.flatMap(({ result }) => result.crossings ?? []).at(-1);
  if (snap) return element('em', {}, ` snaps${crossing ? ` to ${crossing.to}` : ''}`);
  return crossing ? element('em', {}, ` reaches ${crossing.to}`) : null;
}
