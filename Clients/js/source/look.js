// The appearance of a bar.

/** Returns the appearance of a bar: its height, its progress from 0 to 2, and the values of its tracks. */
export function lookOf({ state, values }) {
  return { height: state.height, progress: state.transitionProgress, values };
}

/** Interpolates two appearances; `progress` may overshoot. */
export function mix(from, to, progress) {
  const at = (a, b) => a + (b - a) * progress;
  const values = Object.entries(to.values).map(([track, value]) => [track, at(from.values[track] ?? value, value)]);
  return {
    height: at(from.height, to.height),
    progress: at(from.progress, to.progress),
    values: Object.fromEntries(values),
  };
}

/** Sets the height of an element, and its custom properties: `--progress`, and `--title-alpha` for `title.alpha`. */
export function paint({ style }, { height, progress, values }) {
  style.height = `${height}px`;
  for (const [name, value] of Object.entries({ progress, ...values })) {
    style.setProperty(`--${name.replaceAll('.', '-')}`, String(value));
  }
}
