// The part of the client for lists on a page: a bar that follows one, its animations, and pictures that are loaded near
// the screen. `springbar.follow` loads it when it is needed.

import { BarFollower } from './bar-follower.js';

/** Lets a bar follow a scrolling element; `springbar` is the client. */
export function follow(springbar, list, options) {
  return new BarFollower(springbar, list, options);
}

export { Animation, animateEase, animateSpring, prefersStillness } from './animation.js';
export { animateCommand, BarFollower } from './bar-follower.js';
export { ImageLoader } from './image-loader.js';
export { lookOf, mix, paint } from './look.js';
export { banded, unbanded } from './rubber-band.js';
export { VelocityTracker } from './velocity.js';
