// Shows the bar after any past event, from the kept responses; `GET /v1/bars/{id}/states?at=` confirms it by replay.

import { announce } from '../shared/announcer.js';
import { figure, part } from '../shared/dom.js';
import { atRest, oneAtATime } from '../shared/latest.js';

/** The longest pause between two events of a replay, in seconds. */
const LONGEST = 0.4;
const REST = 120;

export class TimeTravel {
  #root;
  #connection;
  #phone;
  #history;
  #slider;
  #presentY = 0;
  #playing = 0;
  /** The selected event; null in the present. */
  #at = null;
  #confirm = oneAtATime((sequence) => this.#compare(sequence));
  #confirmSoon = atRest(REST, () => this.#at !== null && this.#confirm(this.#at).catch((problem) => this.#tell(problem.message)));
  /** Called with the number of the selected event and its bar, both null in the present. */
  onTravel = () => {};

  constructor(root, connection, phone, history) {
    this.#root = root;
    this.#connection = connection;
    this.#phone = phone;
    this.#history = history;
    this.#slider = part(root, 'moment');
    this.#slider.addEventListener('input', () => this.go(Number(this.#slider.value)));
    part(root, 'now').addEventListener('click', () => this.leave());
    part(root, 'step-back').addEventListener('click', () => this.go((this.#at ?? history.last) - 1));
    part(root, 'step-on').addEventListener('click', () => this.go((this.#at ?? history.last) + 1));
    part(root, 'replay').addEventListener('click', () => (this.#playing ? this.#pause() : this.#play()));
    this.update();
  }

  /** Shows the bar right after event `sequence`; the newest event is the present. */
  go(sequence, isPlaying = false) {
    if (!isPlaying) this.#pause();
    if (sequence >= this.#history.last) return this.leave();
    const bar = this.#history.barAt(sequence);
    if (!bar) return;
    if (this.#at === null) this.#presentY = this.#phone.y;
    this.#at = sequence;
    this.#phone.showPast(bar, this.#history.offsetAt(sequence));
    this.update();
    this.#tell(`Event ${sequence} of ${this.#history.last}: height ${figure(bar.state.height)}`);
    this.onTravel(sequence, bar);
    this.#confirmSoon();
  }

  /** Returns to the present. */
  leave() {
    this.#pause();
    if (this.#at === null) return;
    this.#at = null;
    this.#phone.showPresent(this.#presentY);
    this.update();
    this.onTravel(null, null);
  }

  /** Follows the history. */
  update() {
    const { first, last } = this.#history;
    this.#slider.min = String(Math.max(0, first - 1));
    this.#slider.max = String(last);
    this.#slider.value = String(this.#at ?? last);
    this.#slider.setAttribute('aria-valuetext', this.#at === null ? 'now' : `event ${this.#at} of ${last}`);
    for (const role of ['moment', 'replay', 'step-back', 'step-on']) part(this.#root, role).disabled = last === 0;
    part(this.#root, 'now').disabled = this.#at === null;
    this.#root.classList.toggle('is-past', this.#at !== null);
    if (this.#at === null) this.#tell(last === 0 ? 'Nothing has happened yet.' : `Now, after ${last} events`);
  }

  async #compare(sequence) {
    const bar = await this.#connection.get(`/v1/bars/${this.#phone.bar.id}/states`, { at: sequence });
    if (this.#at !== sequence || this.#playing) return;
    const shown = this.#history.barAt(sequence).state.height;
    const isSame = bar.state.height === shown;
    this.#tell(`Event ${sequence} of ${this.#history.last}: height ${figure(bar.state.height)}${isSame ? ', confirmed by replay' : `, shown as ${figure(shown)}`}`);
    announce(part(this.#root, 'moment-text').textContent);
  }

  /** Replays from the selected event, or from the beginning, at the original speed. */
  #play() {
    const { first, last } = this.#history;
    this.go(this.#at === null ? Math.max(0, first - 1) : this.#at, true);
    part(this.#root, 'replay').textContent = 'Pause';
    const next = () => {
      const from = this.#at;
      if (from === null || from >= last - 1) return this.leave();
      const [one, two] = [from, from + 1].map((sequence) => this.#history.entry(sequence)?.event.timestamp);
      const wait = one === undefined ? 0 : Math.min(LONGEST, Math.max(0, two - one));
      this.#playing = setTimeout(() => {
        this.go(from + 1, true);
        next();
      }, wait * 1000);
    };
    next();
  }

  #pause() {
    clearTimeout(this.#playing);
    this.#playing = 0;
    part(this.#root, 'replay').textContent = 'Play';
  }

  #tell(text) {
    const node = part(this.#root, 'moment-text');
    if (node.textContent !== text) node.textContent = text;
  }
}
