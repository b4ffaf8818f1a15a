// How a list gives way beyond its ends: UIKit's curve, and its inverse.

import { rubberband } from '/client/springbar.js';

const CONSTANT = 0.55;

/** Where a list of height `dimension` is on the screen when a finger has pulled it to `y`. */
export function banded(y, minimum, maximum, dimension) {
  if (y < minimum) return minimum - rubberband(minimum - y, { dimension, constant: CONSTANT });
  if (y > maximum) return maximum + rubberband(y - maximum, { dimension, constant: CONSTANT });
  return y;
}

/** Where a finger has to be for a list to be at `y`. */
export function unbanded(y, minimum, maximum, dimension) {
  if (y < minimum) return minimum - pullFor(minimum - y, dimension);
  if (y > maximum) return maximum + pullFor(y - maximum, dimension);
  return y;
}

function pullFor(shift, dimension) {
  const held = Math.min(shift, dimension * 0.99);
  return (held * dimension) / (CONSTANT * (dimension - held));
}
