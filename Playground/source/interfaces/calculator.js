// Calculator button: lights up at once, goes out slowly, and can be pressed again while it does.

import { part } from '../shared/dom.js';
import { Decision } from './decision.js';

const DIGITS = 9;

export function startCalculator(card, { gesture }) {
  const decision = new Decision(card);
  const display = part(card, 'display');
  let text = '';
  let line = Promise.resolve();

  // One question after the other, so that fast fingers type their digits in the order in which they pressed them.
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

/** One key: its touch events so far, and what the service makes of them. */
class Key {
  #key;
  #ask;
  #on;
  #events = [];
  #isInside = false;
  /** Grows with every event: an answer to an older one no longer says how the key looks. */
  #count = 0;

  constructor(key, ask, on) {
    this.#key = key;
    this.#ask = ask;
    this.#on = on;
    key.addEventListener('pointerdown', (event) => this.#down(event));
    key.addEventListener('pointermove', (event) => this.#move(event));
    key.addEventListener('pointerup', () => this.#add(this.#isInside ? 'touchUpInside' : 'touchUpOutside'));
    key.addEventListener('pointercancel', () => this.#add('touchCancel'));
    // A keyboard or a screen reader presses without touching: to the service it is a tap.
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
    // No network is as fast as a finger expects its light to be. The answer that follows has the last word.
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
    // Without having looked, the browser would not know what to fade from when the answer comes within the same frame.
    if (isLit) getComputedStyle(this.#key).getPropertyValue('background-color');
  }
}
