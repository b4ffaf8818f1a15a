// Formulas of "Building Fluid Interfaces" that a bar uses. Plain arithmetic gives the same bits on every machine.

/** The factors by which a scrolling velocity falls in each millisecond (`UIScrollView.DecelerationRate`). */
export const DECELERATION = { normal: 0.998, fast: 0.99 };

/** Returns the distance to rest, in points, from `velocity` in points per second. */
export function project(velocity, rate = DECELERATION.normal) {
  return ((velocity / 1000) * rate) / (1 - rate);
}

/** Returns `velocity` in travels per second, positive towards the target; 0 if there is no distance. */
export function relativeVelocity(velocity, current, target) {
  const distance = target - current;
  if (distance === 0) return 0;
  return Math.min(Math.max(velocity / distance, -Number.MAX_VALUE), Number.MAX_VALUE);
}

/** Returns how far UIKit's rubber band moves for a pull of `pull` points, 0 or more; always less than `dimension`. */
export function rubberband(pull, { dimension, constant = 0.55 }) {
  return dimension * (1 - 1 / ((pull * constant) / dimension + 1));
}
