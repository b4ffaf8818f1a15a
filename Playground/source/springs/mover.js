// Objects that move by the curves of the plot: position, scale, opacity or rotation, at full speed or slowly.

import { Animation, prefersStillness } from '/client/follow.js';

/** The styles for a position from 0 (the start) to 1 (the target). */
const LOOKS = {
  // The lane is scaled to the overshoot, so the object never leaves it.
  x: (position, way, excess) => ({ transform: `translateX(${((position + excess) / (1 + 2 * excess)) * way}px)` }),
  scale: (position, way) => ({ transform: `translateX(${way / 2}px) scale(${0.35 + 0.65 * position})` }),
  opacity: (position, way) => ({ transform: `translateX(${way / 2}px)`, opacity: String(Math.min(1, Math.max(0.06, position))) }),
  rotate: (position, way) => ({ transform: `translateX(${way / 2}px) rotate(${position * 180}deg)` }),
};

export class Movers {
  #lanes;
  #curves = {};
  #animation = null;
  #excess = 0;
  #isAway = false;
  look = 'x';
  /** The speed: 1 is real time, 0.25 a quarter of it. */
  speed = 1;
  /** Called with the time of the motion, and with null at its end. */
  onTime = () => {};

  /** `lanes` are `{ a, b }`. */
  constructor(lanes) {
    this.#lanes = lanes;
    for (const lane of Object.values(lanes)) new ResizeObserver(() => this.#rest()).observe(lane);
  }

  /** Sets the curves, `{ a, b }`; a lane without one is hidden. */
  set curves(curves) {
    this.#curves = curves;
    this.#excess = Math.max(...Object.values(curves).map((curve) => curve?.excess ?? 0));
    for (const [name, lane] of Object.entries(this.#lanes)) lane.hidden = !curves[name];
    this.#rest();
  }

  /** Moves to the other side; `isAsked` is true if a button was pressed for it. */
  play(isAsked) {
    this.#animation?.stop();
    if (prefersStillness() && !isAsked) return this.#rest();
    this.#isAway = !this.#isAway;
    const curves = Object.entries(this.#curves).filter(([, curve]) => curve);
    const end = Math.max(...curves.map(([, curve]) => curve.settlingTime ?? 6 * curve.spring.response));
    const mine = (this.#animation = new Animation((seconds) => {
      const time = seconds * this.speed;
      const isOver = time >= end;
      for (const [name, curve] of curves) this.#draw(name, isOver ? 1 : curve.at(time).position);
      this.onTime(isOver ? null : time);
      return isOver;
    }));
    mine.finished.then((hasArrived) => hasArrived || this.#animation !== mine || this.onTime(null));
  }

  /** Shows the resting positions. */
  rest() {
    this.#animation?.stop();
    this.onTime(null);
    this.#rest();
  }

  #rest() {
    if (this.#animation?.isRunning) return;
    for (const name of Object.keys(this.#lanes)) this.#draw(name, 1);
  }

  #draw(name, position) {
    const lane = this.#lanes[name];
    const thing = lane.firstElementChild;
    const way = Math.max(0, lane.clientWidth - thing.offsetWidth);
    const shown = this.#isAway ? position : 1 - position;
    Object.assign(thing.style, { opacity: '', ...LOOKS[this.look](shown, way, this.#excess) });
  }
}
