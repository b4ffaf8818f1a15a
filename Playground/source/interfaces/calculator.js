// Calculator button: highlights at once, fades out slowly, and can be pressed again meanwhile.

import { part } from '../shared/dom.js';
import { Decision } from './decision.js';

const DIGITS = 9;

export function startCalculator(card, { gesture }) {
  const decision = new Decision(card);
  const display = part(card, 'display');
  let text = '';
  let line = Promise.resolve();

  // Requests run one after the other, so that digits are typed in the order of the presses.
  const ask = (events) => (line = line.then(() => decision.of(gesture('calculator-button', { events }))));

  for (const key of card.querySelectorAll('[data-key]')) {
    new Key(key, ask, {
      told: (words) => decision.tell(words),
      tapped: () => type(key.dataset.key),
    });
  }

  function type(symbol) {
    if (symbol === '.' && text.includes('.')) return;
    text = symbol === 'C' ? '' : (text + symbol).slice(-DIGITS);
    display.textContent = text || '0';
  }
}

/** One key: its touch events so far, and the service's result for them. */
class Key {
  #key;
  #ask;
  #on;
  #events = [];
  #isInside = false;
  /** Increases with every event; responses to older events are ignored. */
  #count = 0;

  constructor(key, ask, on) {
    this.#key = key;
    this.#ask = ask;
    this.#on = on;
    key.addEventListener('pointerdown', (event) => this.#down(event));
    key.addEventListener('pointermove', (event) => this.#move(event));
    key.addEventListener('pointerup', () => this.#add(this.#isInside ? 'touchUpInside' : 'touchUpOutside'));
    key.addEventListener('pointercancel', () => this.#add('touchCancel'));
    // A keyboard or a screen reader has no touch events, so its press is sent as a tap.
    key.addEventListener('click', (event) => {
      if (event.detail !== 0) return;
      this.#events = ['touchDown'];
      this.#light(true);
      this.#add('touchUpInside');
    });
  }

  #down(event) {
    if (event.button !== 0) return;
    this.#key.setPointerCapture(event.pointerId);
    this.#events = [];
    this.#isInside = true;
    // The highlight must not wait for the network. The response then determines it.
    this.#light(true);
    this.#add('touchDown');
  }

  #move(event) {
    if (this.#events.length === 0) return;
    const box = this.#key.getBoundingClientRect();
    const isInside =
      event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    if (isInside === this.#isInside) return;
    this.#isInside = isInside;
    if (isInside) this.#light(true);
    this.#add(isInside ? 'touchDragEnter' : 'touchDragExit');
  }

  async #add(event) {
    const isLast = event.startsWith('touchUp') || event === 'touchCancel';
    if (this.#events.length === 0 && event !== 'touchDown') return;
    const events = (this.#events = [...this.#events, event]);
    if (isLast) this.#events = [];
    const mine = (this.#count += 1);
    const answer = await this.#ask(events);
    const state = answer?.states.at(-1) ?? 'normal';
    if (mine === this.#count) this.#light(state === 'highlighted');
    if (!answer) return;
    this.#on.told(`${event} → ${state}`);
    if (isLast && answer.taps > 0) this.#on.tapped();
  }

  #light(isLit) {
    this.#key.classList.toggle('is-lit', isLit);
    // Reading the style makes the browser fade from it, even if the response arrives within the same frame.
    if (isLit) getComputedStyle(this.#key).getPropertyValue('background-color');
  }
}
