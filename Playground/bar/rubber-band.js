// How a list gives way beyond its ends: UIKit's own curve, d · (1 − 1 / (x · c / d + 1)), and its inverse.

const CONSTANT = 0.55;

/** Where a list of height `dimension` stands on the screen when a finger has pulled it to `y`. */
export function banded(y, minimum, maximum, dimension) {
  if (y < minimum) return minimum - give(minimum - y, dimension);
  if (y > maximum) return maximum + give(y - maximum, dimension);
  return y;
}

/** Where a finger has to be for a list to stand at `y`. */
export function unbanded(y, minimum, maximum, dimension) {
  if (y < minimum) return minimum - pull(minimum - y, dimension);
  if (y > maximum) return maximum + pull(y - maximum, dimension);
  return y;
}

function give(x, dimension) {
  return dimension * (1 - 1 / ((x * CONSTANT) / dimension + 1));
}

function pull(x, dimension) {
  const held = Math.min(x, dimension * 0.99);
  return (held * dimension) / (CONSTANT * (dimension - held));
}
