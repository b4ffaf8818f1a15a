// The formulas of "Building Fluid Interfaces" that a bar needs too. Plain arithmetic: the same bits everywhere.

/** The factors by which a scrolling velocity falls every millisecond (`UIScrollView.DecelerationRate`). */
export const DECELERATION = { normal: 0.998, fast: 0.99 };

/** Points to rest from `velocity` (points a second). */
export function project(velocity, rate = DECELERATION.normal) {
  return ((velocity / 1000) * rate) / (1 - rate);
}

/** `velocity` in travels a second, positive towards the target; 0 where there is no way to go. */
export function relativeVelocity(velocity, current, target) {
  const distance = target - current;
  if (distance === 0) return 0;
  return Math.min(Math.max(velocity / distance, -Number.MAX_VALUE), Number.MAX_VALUE);
}

/** How far UIKit's rubber band gives way to a pull of `pull` points, 0 or more: never quite `dimension`. */
export function rubberband(pull, { dimension, constant = 0.55 }) {
  return dimension * (1 - 1 / ((pull * constant) / dimension + 1));
}
