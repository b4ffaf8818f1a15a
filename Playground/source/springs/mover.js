// Objects that move by the curves of the plot: position, scale, opacity or rotation, at full speed or slowly, once or
// again and again.

import { Animation, prefersStillness } from '/client/follow.js';

/** The styles for a position from 0 (the start) to 1 (the target). */
const LOOKS = {
  // The lane is scaled to the overshoot, so the object never leaves it.
  x: (position, way, excess) => ({ transform: `translateX(${((position + excess) / (1 + 2 * excess)) * way}px)` }),
  scale: (position, way) => ({ transform: `translateX(${way / 2}px) scale(${0.35 + 0.65 * position})` }),
  opacity: (position, way) => ({ transform: `translateX(${way / 2}px)`, opacity: String(Math.min(1, Math.max(0.06, position))) }),
  rotate: (position, way) => ({ transform: `translateX(${way / 2}px) rotate(${position * 180}deg)` }),
};

/** Milliseconds between two motions of a loop. */
const BETWEEN = 500;

export class Movers {
  #lanes;
  #curves = {};
  #animation = null;
  #excess = 0;
  #isAway = false;
  #isLooping = false;
  #isSeen = true;
  #pause = 0;
  look = 'x';
  /** The speed: 1 is real time, 0.25 a quarter of it. */
  speed = 1;
  /** Called with the time of the motion, and with null at its end. */
  onTime = () => {};
  /** Called with the position of the first curve: from 0 to 1, or from 1 to 0 on the way back. */
  onPosition = () => {};

  /** `lanes` are `{ a, b }`. A loop rests while `root` is off the screen. */
  constructor(lanes, root) {
    this.#lanes = lanes;
    new IntersectionObserver(([{ isIntersecting }]) => {
      this.#isSeen = isIntersecting;
      if (isIntersecting && this.#isLooping && !this.#animation?.isRunning) this.play(false);
    }).observe(root);
    for (const lane of Object.values(lanes)) new ResizeObserver(() => this.#rest()).observe(lane);
  }

  /** Sets the curves, `{ a, b }`; a lane without one is hidden. */
  set curves(curves) {
    this.#curves = curves;
    this.#excess = Math.max(...Object.values(curves).map((curve) => curve?.excess ?? 0));
    for (const [name, lane] of Object.entries(this.#lanes)) lane.hidden = !curves[name];
    this.#rest();
  }

  /** Whether every motion is followed by another one. */
  set isLooping(value) {
    this.#isLooping = value;
    if (value) this.play(false);
    else clearTimeout(this.#pause);
  }

  /** Moves to the other side; `isAsked` is true if a button was pressed for it. */
  play(isAsked) {
    clearTimeout(this.#pause);
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
    mine.finished.then((hasArrived) => {
      if (this.#animation !== mine) return;
      if (!hasArrived) this.onTime(null);
      else if (this.#isLooping && this.#isSeen) this.#pause = setTimeout(() => this.play(false), BETWEEN);
    });
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
    if (name === 'a') this.onPosition(shown);
  }
}
