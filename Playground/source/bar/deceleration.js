// What a list does when it is let go: it glides on as UIScrollView does, and comes back when it went too far.

import { DECELERATION } from '/client/springbar.js';
import { Animation, animateSpring } from '../shared/animation.js';

/** The share of the speed that is left after a millisecond. */
const RATE = DECELERATION.normal;
const LOG = 1000 * Math.log(RATE);
/** Points a second below which a glide has ended. */
const SLOW = 12;
const BOUNCE = { dampingRatio: 1, response: 0.4 };

/** Lets `view` glide with `velocity` (points a second of its offset); `moved()` is called after each step. */
export function decelerate(view, velocity, moved) {
  if (view.y !== view.clamped(view.y)) return bounce(view, velocity, moved);
  if (Math.abs(velocity) < SLOW) return null;
  const start = view.y;
  let running = null;
  const glide = new Animation((time) => {
    const speed = velocity * RATE ** (1000 * time);
    const y = start + (speed - velocity) / LOG;
    view.moveTo(y);
    moved();
    if (y === view.clamped(y)) return Math.abs(speed) < SLOW;
    running = bounce(view, speed, moved);
    return true;
  });
  return {
    stop: () => (glide.stop(), running?.stop()),
    get isRunning() {
      return glide.isRunning || Boolean(running?.isRunning);
    },
  };
}

function bounce(view, velocity, moved) {
  const start = view.y;
  const end = view.clamped(start);
  const travel = end - start;
  const spring = { ...BOUNCE, initialVelocity: travel === 0 ? 0 : velocity / travel };
  return animateSpring(spring, (position) => {
    view.moveTo(start + travel * position);
    moved();
  });
}
