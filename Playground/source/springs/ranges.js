// The ranges of sliders: the useful part of the service's ranges. Other values can be typed.

const RANGES = {
  dampingRatio: [0.05, 1.5, 0.01],
  ratio: [0.05, 1.5, 0.01],
  response: [0.05, 1.5, 0.01],
  duration: [0.05, 1.5, 0.01],
  visualDuration: [0.05, 1.5, 0.01],
  settlingDuration: [0.1, 3, 0.01],
  frequency: [0.05, 1.5, 0.01],
  durationMs: [50, 2000, 10],
  bounce: [-0.5, 0.9, 0.01],
  mass: [0.1, 5, 0.1],
  stiffness: [10, 1000, 1],
  tension: [10, 400, 1],
  damping: [1, 80, 0.5],
  friction: [1, 80, 0.5],
  bounciness: [0, 20, 0.5],
  speed: [0, 20, 0.5],
  overshoot: [0, 0.5, 0.01],
  epsilon: [0.0001, 0.01, 0.0001],
};

/** Returns `{ min, max, step }` for a parameter of a convention. */
export function sliderRange(convention, parameter) {
  const low = parameter.minimum ?? parameter.exclusiveMinimum ?? 0;
  const high = parameter.maximum ?? parameter.exclusiveMaximum ?? 100;
  // In react-spring `damping` is a ratio if there is a `frequency`; in other conventions it is a coefficient.
  const key = convention === 'reactspring.frequency' && parameter.name === 'damping' ? 'dampingRatio' : parameter.name;
  // Svelte's stiffness and damping are shares.
  const [min, max, step] = convention === 'svelte' ? [0.01, 0.99, 0.01] : RANGES[key] ?? [low, high, (high - low) / 200];
  return { min: Math.max(min, low), max: Math.min(max, high), step };
}
