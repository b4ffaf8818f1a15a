// Values that follow the bar: its progress, the tracks, and the states that it crosses.

/** Maps from one interval to another, clamped at both ends. Equal bounds give the first end (AirBar: `map`). */
export function mapped(value, from, to, first, second) {
  if (value <= from) return first;
  if (value >= to) return second;
  return first + ((value - from) / (to - from)) * (second - first);
}

/** Returns the value of a track of the contract for a state. */
export function trackValue({ keyframes, compactNormalRange, normalExpandedRange }, { stateRange, transitionProgress }) {
  if (!keyframes) {
    const isLower = stateRange === 'compactNormal';
    const { value, range = [value, value] } = isLower ? compactNormalRange : normalExpandedRange;
    return mapped(transitionProgress, isLower ? 0 : 1, isLower ? 1 : 2, ...range);
  }
  // After the last keyframe the value is constant; before the first one, both ends are the first keyframe.
  const index = keyframes.findIndex(({ progress }) => transitionProgress <= progress);
  const after = keyframes.at(index);
  const before = index > 0 ? keyframes[index - 1] : after;
  return mapped(transitionProgress, before.progress, after.progress, before.value, after.value);
}

/** A smaller distance, in points, is rounding: the bar has reached the state. */
export const TOLERANCE = 1e-6;
const LEVELS = ['compact', 'normal', 'expanded'];

/**
 * Returns the states reached or passed between two offsets, in order. A transition without a length never completes.
 */
export function crossings(before, after, offsets) {
  if (before === after) return [];
  const [step, direction, ways] = after < before ? [1, 'expanding', [0, 1]] : [-1, 'collapsing', [2, 1]];
  return ways.flatMap((from) => {
    const to = from + step;
    const missing = (offset) => (offset - offsets[to]) * step;
    const isThere = offsets[from] !== offsets[to] && missing(before) > TOLERANCE && missing(after) <= TOLERANCE;
    return isThere ? { from: LEVELS[from], to: LEVELS[to], direction } : [];
  });
}
