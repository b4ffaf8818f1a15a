// The names of each convention's parameters, so that a link may also have the parameters of others, such as a campaign.

const PHYSICAL = 'mass stiffness damping';
const BOUNCE = 'duration bounce';

const NAMES = {
  wwdc: 'dampingRatio damping response',
  physical: `${PHYSICAL} allowOverDamping`,
  settling: 'settlingDuration overshoot epsilon',
  uikit: PHYSICAL,
  'uikit.durationRatio': 'duration dampingRatio',
  'swiftui.response': 'response dampingRatio',
  'swiftui.durationBounce': BOUNCE,
  'swiftui.physical': `${PHYSICAL} allowOverDamping`,
  'swiftui.settlingDuration': 'settlingDuration dampingRatio epsilon',
  'coreanimation.perceptualDurationBounce': BOUNCE,
  android: 'stiffness dampingRatio',
  compose: 'stiffness dampingRatio',
  'flutter.physical': PHYSICAL,
  'flutter.dampingRatio': 'mass stiffness ratio',
  'flutter.durationBounce': BOUNCE,
  'reactspring.tensionFriction': 'tension friction mass',
  'reactspring.frequency': 'frequency damping mass',
  'motion.physical': PHYSICAL,
  'motion.durationBounce': 'durationMs bounce',
  'motion.visualDurationBounce': 'visualDuration bounce',
  motion: 'visualDuration bounce',
  'reactnative.physical': PHYSICAL,
  'reactnative.bouncinessSpeed': 'bounciness speed',
  origami: 'tension friction',
  'reanimated.physical': PHYSICAL,
  'reanimated.durationRatio': 'durationMs dampingRatio',
  'anime.durationBounce': 'durationMs bounce',
  'anime.physical': PHYSICAL,
  svelte: 'stiffness damping',
  remotion: `${PHYSICAL} overshootClamping`,
  figma: PHYSICAL,
};

/** Returns whether a convention has a parameter with this name or alias. */
export function hasParameter(convention, name) {
  return Object.hasOwn(NAMES, convention) && NAMES[convention].split(' ').includes(name);
}

/** Returns whether this page knows the convention. */
export function isConvention(id) {
  return Object.hasOwn(NAMES, id);
}
