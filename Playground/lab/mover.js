// A thing that moves as the service says: its easing is the very text of `GET /v1/springs/linear`.

import { prefersStillness } from '../motion/animation.js';

export class Mover {
  #lane;
  #thing;
  #isAway = false;
  #easing = null;

  constructor(lane) {
    this.#lane = lane;
    this.#thing = lane.firstElementChild;
  }

  /** Takes over an answer of `linear`; null when there is none. */
  set easing(linear) {
    this.#easing = linear;
    this.#lane.hidden = linear === null;
  }

  /** Goes to the other side; `isAsked` when a person pressed a button for it. */
  play(isAsked) {
    if (!this.#easing || (prefersStillness() && !isAsked)) return;
    const way = this.#lane.clientWidth - this.#thing.offsetWidth;
    this.#isAway = !this.#isAway;
    this.#thing.getAnimations().forEach((animation) => animation.cancel());
    // Where it rests is the style sheet's, so that it stays there whatever becomes of the lane's width.
    this.#lane.classList.toggle('is-away', this.#isAway);
    this.#thing.animate([{ transform: `translateX(${this.#isAway ? -way : way}px)` }, { transform: 'none' }], {
      duration: this.#easing.duration * 1000,
      easing: this.#easing.css,
    });
  }
}
