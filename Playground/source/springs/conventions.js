// Converts the parameters of conventions to a damping ratio and a response, so that a curve follows a slider in the
// same frame. The lab compares the results with those of the service.

import { Spring } from '/client/springbar.js';

const TURN = 2 * Math.PI;
const held = (value, least, most) => Math.min(most, Math.max(least, value));

const ratioResponse = {
  read: ({ dampingRatio, response }) => [dampingRatio, response],
  write: (dampingRatio, response) => ({ dampingRatio, response }),
};

function physicalOf({ mass = 1, stiffness, damping, allowOverDamping = true }) {
  const ratio = damping / (2 * Math.sqrt(stiffness) * Math.sqrt(mass));
  // A critical spring in decimals misses 1 because of rounding.
  const snapped = Math.abs(ratio - 1) <= 4 * Number.EPSILON ? 1 : ratio;
  return [allowOverDamping ? snapped : Math.min(snapped, 1), TURN / Math.sqrt(stiffness / mass)];
}

const physical = {
  read: physicalOf,
  write: (ratio, response, { mass = 1 } = {}) => {
    const frequency = TURN / response;
    return { stiffness: mass * frequency ** 2, damping: 2 * ratio * mass * frequency };
  },
};

const capped = {
  ...physical,
  read: ({ allowOverDamping = false, ...rest }) => physicalOf({ ...rest, allowOverDamping }),
};

const ratioOf = (bounce) => (bounce >= 0 ? 1 - bounce : 1 / (1 + bounce));
const bounceOf = (ratio) => (ratio <= 1 ? 1 - ratio : 1 / ratio - 1);
/** Duration and bounce in Apple's sense, with a name and a unit for the duration. */
const durationBounce = (name, unit, defaults = {}) => ({
  read: (given) => {
    const { [name]: duration, bounce = 0 } = { ...defaults, ...given };
    return [ratioOf(bounce), duration * unit];
  },
  write: (ratio, response) => ({ [name]: response / unit, bounce: bounceOf(ratio) }),
});

/** Stiffness for a unit mass, and a ratio. */
const stiffnessRatio = (name, defaults = {}) => ({
  read: (given) => {
    const { stiffness, mass = 1, [name]: ratio = 1 } = { ...defaults, ...given };
    return [ratio, TURN / Math.sqrt(stiffness / mass)];
  },
  write: (ratio, response, { mass = 1 } = {}) => ({ stiffness: mass * (TURN / response) ** 2, [name]: ratio }),
});

/** The phase at which the envelope of an underdamped spring reaches `threshold`, or that of a critical one. */
function envelopePhase(ratio, threshold) {
  if (ratio < 1) return Math.log(ratio / Math.sqrt((1 - ratio) * (1 + ratio)) / threshold) / ratio;
  let [low, high] = [0, 1000];
  for (let step = 0; step < 100; step += 1) {
    const middle = (low + high) / 2;
    if (Math.log1p(middle) - middle > Math.log(threshold)) low = middle;
    else high = middle;
  }
  return high;
}

/** The phase at which the energy of Reanimated's critical reference has fallen to its threshold. */
function energyPhase(ratio) {
  let [low, high] = [0, 100];
  for (let step = 0; step < 100; step += 1) {
    const s = (low + high) / 2;
    if (Math.log((1 + s) * (1 + s) + ratio * ratio * s * s) - 2 * s > Math.log(6e-9)) low = s;
    else high = s;
  }
  return high;
}

const tensionStiffness = (tension) => 3.62 * (tension - 30) + 194;
const frictionDamping = (friction) => Math.max(0, 3 * (friction - 8) + 25);
const unitMass = (stiffness, damping) => physicalOf({ stiffness, damping });

/** Rebound's friction at which a tension does not bounce. */
function frictionWithoutBounce(x) {
  if (x <= 18) return ((0.0007 * x - 0.031) * x + 0.64) * x + 1.28;
  if (x <= 44) return ((0.000044 * x - 0.006) * x + 0.36) * x + 2;
  return ((0.00000045 * x - 0.000332) * x + 0.1078) * x + 5.84;
}

/** The spring that Svelte's steps of a 60th of a second draw. */
function stepsOf(stiffness, damping) {
  const sum = stiffness + damping;
  const root = Math.sqrt(Math.abs(sum * sum - 4 * stiffness));
  const decay = -Math.log1p(-damping) * 30;
  const larger = (sum + root) / 2;
  const frequency = sum * sum < 4 * stiffness
    ? Math.hypot(decay, 60 * Math.atan2(root, 2 - sum))
    : 60 * Math.sqrt(Math.log1p(-larger) * Math.log1p(-stiffness / larger));
  return [decay / frequency, TURN / frequency];
}

const ofDefaults = (mass, stiffness, damping) => ({
  ...physical,
  read: (given) => physicalOf({ mass, stiffness, damping, ...given }),
});

const conventions = {
  wwdc: ratioResponse,
  'swiftui.response': ratioResponse,
  physical,
  uikit: physical,
  'swiftui.physical': capped,
  'flutter.physical': physical,
  'motion.physical': ofDefaults(1, 100, 10),
  'reactnative.physical': ofDefaults(1, 100, 10),
  remotion: ofDefaults(1, 100, 10),
  figma: ofDefaults(1, 100, 15),
  'anime.physical': {
    ...physical,
    read: ({ mass = 1, stiffness = 100, damping = 10 }) =>
      physicalOf({ mass: held(mass, 1, 1e4), stiffness: Math.min(stiffness, 1e4), damping: Math.min(damping, 1e4) }),
  },
  svelte: { read: ({ stiffness = 0.15, damping = 0.8 }) => stepsOf(stiffness, damping) },
  'reanimated.physical': {
    read: (given) => physicalOf({ mass: 4, stiffness: 900, damping: 120, ...given }),
    write: (ratio, response, { mass = 4 } = {}) => ({ mass, ...physical.write(ratio, response, { mass }) }),
  },
  'reactspring.tensionFriction': {
    read: ({ tension, friction, mass }) => physicalOf({ mass, stiffness: tension, damping: friction }),
    write: (ratio, response, given) => {
      const { stiffness, damping } = physical.write(ratio, response, given);
      return { tension: stiffness, friction: damping };
    },
  },
  'reactspring.frequency': {
    read: ({ frequency, damping = 1 }) => [damping, Math.max(0.01, frequency)],
    write: (ratio, response) => ({ frequency: response, damping: ratio }),
  },
  'swiftui.durationBounce': durationBounce('duration', 1),
  'coreanimation.perceptualDurationBounce': durationBounce('duration', 1),
  'anime.durationBounce': durationBounce('durationMs', 1e-3, { durationMs: 628, bounce: 0.5 }),
  'flutter.durationBounce': {
    read: ({ duration = 0.5, bounce = 0 }) => [ratioOf(bounce), Math.floor(duration * 1000 + 1e-9) / 1000],
    write: (ratio, response) => ({ duration: Math.max(1, Math.round(response * 1000)) / 1000, bounce: bounceOf(ratio) }),
  },
  android: stiffnessRatio('dampingRatio'),
  compose: stiffnessRatio('dampingRatio', { stiffness: 1500 }),
  'flutter.dampingRatio': stiffnessRatio('ratio'),
  'motion.visualDurationBounce': {
    read: ({ visualDuration, bounce = 0.3 }) => [held(1 - bounce, 0.05, 1), 1.2 * visualDuration],
    write: (ratio, response) => ({ visualDuration: response / 1.2, bounce: 1 - held(ratio, 0.05, 1) }),
  },
  'motion.durationBounce': {
    read: ({ durationMs = 800, bounce = 0.3 }) => {
      const ratio = held(1 - bounce, 0.05, 1);
      return [ratio, (TURN * held(durationMs, 10, 10_000)) / 1000 / envelopePhase(ratio, 0.001)];
    },
  },
  'reanimated.durationRatio': {
    read: ({ durationMs = 550, dampingRatio = 1 }) => {
      const frequency = energyPhase(dampingRatio) / ((1.5 * durationMs * dampingRatio) / 1000);
      return [dampingRatio, TURN / Math.min(frequency, Math.sqrt(2000))];
    },
  },
  'swiftui.settlingDuration': {
    read: ({ settlingDuration, dampingRatio, epsilon = 0.001 }) => {
      const ratio = Math.min(dampingRatio, 1);
      return [ratio, (TURN * held(settlingDuration, 0.01, 10)) / envelopePhase(ratio, epsilon)];
    },
  },
  'uikit.durationRatio': {
    read: ({ duration, dampingRatio }) => {
      const ratio = held(dampingRatio, 0.0015, 1);
      return [ratio, (TURN * held(duration, 0.01, 10)) / envelopePhase(ratio, 0.001)];
    },
  },
  settling: {
    read: ({ settlingDuration, overshoot = 0, epsilon = 0.001 }) => {
      const ratio = overshoot > 0 ? -Math.log(overshoot) / Math.hypot(Math.PI, Math.log(overshoot)) : 1;
      const phase = new Spring({ dampingRatio: ratio, response: TURN }).settlingTime(epsilon);
      return [ratio, (TURN * settlingDuration) / phase];
    },
  },
  origami: { read: ({ tension = 40, friction = 7 }) => unitMass(tensionStiffness(tension), frictionDamping(friction)) },
  'reactnative.bouncinessSpeed': {
    read: ({ bounciness = 8, speed = 12 }) => {
      const tension = 0.5 + (speed / 34) * 199.5;
      const left = 1 - (0.8 * bounciness) / 34;
      const friction = 0.01 + left * left * (frictionWithoutBounce(tension) - 0.01);
      return unitMass(tensionStiffness(tension), frictionDamping(friction));
    },
  },
};

/** `{ dampingRatio, response }` of a spring of the lab; null where this page cannot convert, or has no spring for it. */
export function meaning({ convention, parameters }) {
  try {
    const [dampingRatio, response] = conventions[convention]?.read(parameters) ?? [];
    const areNumbers = Number.isFinite(dampingRatio) && Number.isFinite(response);
    const isSpring = dampingRatio >= 0 && dampingRatio <= 100 && response >= TURN * 1e-5 && response <= TURN * 1e4;
    return areNumbers && isSpring ? { dampingRatio, response } : null;
  } catch {
    // A link may have any values. The service says which one is wrong.
    return null;
  }
}

/** The parameters of a convention for a spring; null where only the service converts. */
export function written(convention, { dampingRatio, response }, given) {
  const parameters = conventions[convention]?.write?.(dampingRatio, response, given);
  return parameters ? { ...given, ...rounded(parameters) } : null;
}

/** Without the last digits, which are rounding and make long fields. */
export function rounded(parameters) {
  return Object.fromEntries(
    Object.entries(parameters).map(
      ([name, value]) => [name, typeof value === 'number' ? Number(value.toPrecision(12)) : value],
    ),
  );
}
