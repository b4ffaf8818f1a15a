// The deceleration of a released list, as in UIScrollView, with a spring back from beyond the ends.

import { DECELERATION } from './springbar.js';
import { Animation, animateSpring } from './animation.js';

/** The factor of the speed in each millisecond. */
const RATE = DECELERATION.normal;
const LOG = 1000 * Math.log(RATE);
/** The speed at which a deceleration ends, in points per second. */
const SLOW = 12;
const BOUNCE = { dampingRatio: 1, response: 0.4 };

/** Decelerates `view` from `velocity`, in points per second of its offset; calls `moved()` after each step. */
export function decelerate(view, velocity, moved) {
  if (view.y !== view.clamped(view.y)) return bounce(view, velocity, moved);
  if (Math.abs(velocity) < SLOW) return null;
  const { y: start, drift } = view;
  let running = null;
  const glide = new Animation((time) => {
    const speed = velocity * RATE ** (1000 * time);
    const y = start + (speed - velocity) / LOG + view.drift - drift;
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
