// UIKit's rubber band beyond the ends of a list, and its inverse.

import { rubberband } from './springbar.js';

const CONSTANT = 0.55;

/** Returns the position of a list of height `dimension` for a pull `y` of the finger. */
export function banded(y, minimum, maximum, dimension) {
  if (y < minimum) return minimum - rubberband(minimum - y, { dimension, constant: CONSTANT });
  if (y > maximum) return maximum + rubberband(y - maximum, { dimension, constant: CONSTANT });
  return y;
}

/** Returns the pull of the finger for a position `y` of the list. */
export function unbanded(y, minimum, maximum, dimension) {
  if (y < minimum) return minimum - pullFor(minimum - y, dimension);
  if (y > maximum) return maximum + pullFor(y - maximum, dimension);
  return y;
}

function pullFor(shift, dimension) {
  const held = Math.min(shift, dimension * 0.99);
  return (held * dimension) / (CONSTANT * (dimension - held));
}
