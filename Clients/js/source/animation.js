// Runs a function of time once a frame, until it is done or stopped.

import { Spring } from './springbar.js';

/** The fraction of the travel below which a spring has arrived. */
const SETTLED = 5e-4;

let still;

/** Whether the system requests reduced motion: all animations then end at once. */
export function prefersStillness() {
  still ??= matchMedia('(prefers-reduced-motion: reduce)');
  return still.matches;
}

/** A running animation. `finished` resolves with true at its end, or with false if it was stopped. */
export class Animation {
  #frame = 0;
  #isRunning = true;
  #resolve;

  /** Calls `step(seconds)` each frame until it returns true. */
  constructor(step) {
    this.finished = new Promise((resolve) => (this.#resolve = resolve));
    const began = performance.now();
    const tick = (now) => {
      const isOver = step(Math.max(0, now - began) / 1000);
      // A step may have stopped the animation that it belongs to.
      if (!this.#isRunning) return;
      if (isOver) return this.#end(true);
      this.#frame = requestAnimationFrame(tick);
    };
    this.#frame = requestAnimationFrame(tick);
  }

  get isRunning() {
    return this.#isRunning;
  }

  stop() {
    cancelAnimationFrame(this.#frame);
    this.#end(false);
  }

  #end(hasArrived) {
    this.#isRunning = false;
    this.#resolve(hasArrived);
  }
}

/** Follows a spring from 0 to 1: `apply(position, velocity)` each frame, and exactly (1, 0) at the end. */
export function animateSpring(spring, apply) {
  const motion = new Spring(spring);
  const end = motion.settlingTime(SETTLED) ?? Infinity;
  return new Animation((time) => {
    if (prefersStillness() || time >= end) {
      apply(1, 0);
      return true;
    }
    const { position, velocity } = motion.at(time);
    apply(position, velocity);
    return false;
  });
}

/** UIKit's curve for a command without a spring: ease in and out over `duration` seconds. */
export function animateEase(duration, apply) {
  return new Animation((time) => {
    if (prefersStillness() || time >= duration) {
      apply(1);
      return true;
    }
    const x = time / duration;
    apply(x * x * (3 - 2 * x));
    return false;
  });
}
