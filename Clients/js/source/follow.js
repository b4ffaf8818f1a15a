// The part of the client that lets a bar follow a scrolling element, and the animations that it uses. `springbar.follow`
// loads it when it is needed.

import { BarFollower } from './bar-follower.js';

/** Lets a bar follow a scrolling element; `springbar` is the client. */
export function follow(springbar, list, options) {
  return new BarFollower(springbar, list, options);
}

export { Animation, animateEase, animateSpring, prefersStillness } from './animation.js';
export { animateCommand, BarFollower, lookOf, mix, paint } from './bar-follower.js';
export { banded, unbanded } from './rubber-band.js';
export { VelocityTracker } from './velocity.js';
