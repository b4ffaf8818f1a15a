// Calculator button: lights up at once, goes out slowly, and can be pressed again while it does.

import { part } from '../dom.js';
import { Decision } from './decision.js';

const DIGITS = 9;

export function startCalculator(card, { gestures }) {
  const decision = new Decision(card);
  const display = part(card, 'display');
  let text = '';

  for (const key of card.querySelectorAll('[data-key]')) new Key(key, gestures, decision, () => type(key.dataset.key));

  function type(symbol) {
    text = symbol === 'C' ? '' : (text + symbol).slice(-DIGITS);
    display.textContent = text || '0';
  }
}

/** One key: its touch events so far, and what the service makes of them. */
class Key {
  #key;
  #gestures;
  #decision;
  #onTap;
  #events = [];
  #isInside = false;

  constructor(key, gestures, decision, onTap) {
    this.#key = key;
    this.#gestures = gestures;
    this.#decision = decision;
    this.#onTap = onTap;
    key.addEventListener('pointerdown', (event) => this.#down(event));
    key.addEventListener('pointermove', (event) => this.#move(event));
    key.addEventListener('pointerup', () => this.#add(this.#isInside ? 'touchUpInside' : 'touchUpOutside'));
    key.addEventListener('pointercancel', () => this.#add('touchCancel'));
    // A keyboard or a screen reader presses without touching: to the service it is a tap.
    key.addEventListener('click', (event) => {
      if (event.detail !== 0) return;
      this.#events = ['touchDown'];
      this.#add('touchUpInside');
    });
  }

  #down(event) {
    if (event.button !== 0) return;
    this.#key.setPointerCapture(event.pointerId);
    this.#events = [];
    this.#isInside = true;
    this.#add('touchDown');
  }

  #move(event) {
    if (this.#events.length === 0) return;
    const box = this.#key.getBoundingClientRect();
    const isInside =
      event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    if (isInside === this.#isInside) return;
    this.#isInside = isInside;
    this.#add(isInside ? 'touchDragEnter' : 'touchDragExit');
  }

  async #add(event) {
    const isLast = event.startsWith('touchUp') || event === 'touchCancel';
    if (this.#events.length === 0 && event !== 'touchDown') return;
    const events = (this.#events = [...this.#events, event]);
    if (isLast) this.#events = [];
    const answer = await this.#decision.of(this.#gestures.calculatorButton(events));
    if (!answer) return;
    const state = answer.states.at(-1);
    this.#key.classList.toggle('is-lit', state === 'highlighted');
    this.#decision.tell(`${event} → ${state}`);
    if (isLast && answer.taps > 0) this.#onTap();
  }
}
