// The line below each interface: the last request and the decision.

import { announce } from '../shared/announcer.js';
import { part } from '../shared/dom.js';

export class Decision {
  #output;

  constructor(card) {
    this.#output = part(card, 'decision');
  }

  /** Shows a decision as text; a screen reader announces the last one of a gesture. */
  tell(text) {
    this.#output.textContent = text;
    announce(text);
  }

  /** Waits for a response; shows the problem and returns undefined if there is none. */
  async of(question) {
    try {
      return await question;
    } catch (problem) {
      this.tell(problem.status === 0 ? 'The service does not answer. Try again when it is back.' : problem.message);
      return undefined;
    }
  }
}
