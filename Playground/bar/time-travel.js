// Back to any event that the service remembers: `GET /v1/bars/{id}/states?at=` replays the session up to there.

import { latest } from '../api/latest.js';
import { element, figure, part } from '../dom.js';

export class TimeTravel {
  #root;
  #phone;
  #history;
  #slider;
  #fetch;
  #presentY = 0;
  /** The event that is looked at; null in the present. */
  #at = null;
  /** Called with that number whenever it changes. */
  onTravel = () => {};

  constructor(root, bars, phone, history) {
    this.#root = root;
    this.#phone = phone;
    this.#history = history;
    this.#slider = part(root, 'moment');
    this.#fetch = latest((sequence, options) => bars.stateAt(phone.session.id, sequence, options));
    this.#slider.addEventListener('input', () => this.go(Number(this.#slider.value)));
    part(root, 'now').addEventListener('click', () => this.leave());
    this.update();
  }

  /** Shows the bar right after event `sequence`; the newest event is the present. */
  async go(sequence) {
    if (sequence >= this.#history.last) return this.leave();
    if (this.#at === null) this.#presentY = this.#phone.list.y;
    this.#at = sequence;
    this.update();
    this.onTravel(sequence);
    try {
      const bar = await this.#fetch(sequence);
      if (!bar || this.#at !== sequence) return;
      this.#phone.showPast(bar, this.#history.offsetAt(sequence));
      this.#tell(`Event ${sequence} of ${this.#history.last}: height ${figure(bar.state.height)}`);
    } catch (error) {
      this.#tell(error.message);
    }
  }

  /** Returns to the present. */
  leave() {
    if (this.#at === null) return;
    this.#at = null;
    this.#phone.showPresent(this.#presentY);
    this.update();
    this.onTravel(null);
  }

  /** Follows the history. */
  update() {
    const { first, last } = this.#history;
    this.#slider.min = String(Math.max(0, first - 1));
    this.#slider.max = String(last);
    this.#slider.value = String(this.#at ?? last);
    this.#slider.disabled = last === 0;
    this.#slider.setAttribute('aria-valuetext', this.#at === null ? 'now' : `event ${this.#at} of ${last}`);
    part(this.#root, 'now').hidden = this.#at === null;
    this.#root.classList.toggle('is-past', this.#at !== null);
    if (this.#at === null) this.#tell(last === 0 ? 'Nothing has happened yet.' : `Now, after ${last} events`);
  }

  #tell(text) {
    part(this.#root, 'moment-text').replaceChildren(element('span', {}, text));
  }
}
