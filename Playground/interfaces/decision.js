// The line below each interface: what the service was asked last, and what it said.

import { part } from '../dom.js';

export class Decision {
  #output;

  constructor(card) {
    this.#output = part(card, 'decision');
  }

  /** Shows the answer in words. */
  tell(text) {
    this.#output.textContent = text;
  }

  /** Waits for an answer; shows the problem and answers undefined when there is none. */
  async of(question) {
    try {
      return await question;
    } catch (error) {
      this.tell(error.message);
      return undefined;
    }
  }
}
