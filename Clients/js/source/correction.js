// The difference between the shown bar and the confirmed one, and the spring that takes it to zero.

import { NOTICEABLE } from './prediction.js';
import { Spring } from './spring.js';

/** The spring of a correction: no overshoot. */
const CORRECTION = { dampingRatio: 1, response: 0.3 };

/** Returns the correction from one height to another; null if the difference is not noticeable. */
export function correction(from, to) {
  if (Math.abs(to - from) <= NOTICEABLE) return null;
  const spring = new Spring(CORRECTION);
  return { from, to, spring, residue: (time) => (from - to) * (1 - spring.position(time)) };
}
