// Reads a spring from pasted code by the names of its members. The service says which parameters a convention has.

/** The first pattern that a code matches names its convention. */
const CONVENTIONS = [
  [/usingSpringWithDamping/, 'uikit.durationRatio'],
  [/perceptualDuration/, 'coreanimation.perceptualDurationBounce'],
  [/springDuration/, 'swiftui.durationBounce'],
  [/UISpringTimingParameters[^]*response/, 'wwdc'],
  [/UISpringTimingParameters|CASpringAnimation/, 'uikit'],
  [/SpringForce|SpringAnimation|STIFFNESS_|DAMPING_RATIO_/, 'android'],
  [/Spring\.(Stiffness|DampingRatio)|spring(<[^>]*>)?\(\s*((dampingRatio|stiffness)\s*=|\))/, 'compose'],
  [/withDampingRatio/, 'flutter.dampingRatio'],
  [/withDurationAndBounce/, 'flutter.durationBounce'],
  [/SpringDescription/, 'flutter.physical'],
  [/settlingDuration/, 'swiftui.settlingDuration'],
  [/Animated\.spring[^]*(bounciness|speed)/, 'reactnative.bouncinessSpeed'],
  [/Animated\.spring[^]*tension/, 'origami'],
  [/Animated\.spring/, 'reactnative.physical'],
  [/withSpring[^]*duration/, 'reanimated.durationRatio'],
  [/withSpring/, 'reanimated.physical'],
  [/tension|friction/, 'reactspring.tensionFriction'],
  [/frequency/, 'reactspring.frequency'],
  [/\bfps\b/, 'remotion'],
  [/new Spring\(/, 'svelte'],
  [/custom spring|figma/i, 'figma'],
  [/visualDuration/, 'motion.visualDurationBounce'],
  [/type['"]?\s*:\s*['"`]spring['"`][^]*duration|duration[^]*type['"]?\s*:\s*['"`]spring/, 'motion.durationBounce'],
  [/type['"]?\s*:\s*['"`]spring/, 'motion.physical'],
  [/spring\(\s*\{[^]*duration/i, 'anime.durationBounce'],
  [/spring\(\s*\{/i, 'anime.physical'],
  [/interpolatingSpring|Spring\(mass/, 'swiftui.physical'],
  [/response/, 'swiftui.response'],
  [/duration|bounce|\.(smooth|snappy|bouncy)\b/i, 'swiftui.durationBounce'],
  [/stiffness[^]*dampingRatio|dampingRatio[^]*stiffness/, 'compose'],
  [/stiffness/, 'physical'],
];

/** Names that a language has for a parameter. */
const NAMES = {
  dampingFraction: 'dampingRatio',
  usingSpringWithDamping: 'dampingRatio',
  setDampingRatio: 'dampingRatio',
  setStiffness: 'stiffness',
  withDuration: 'duration',
  springDuration: 'duration',
  perceptualDuration: 'duration',
  milliseconds: 'duration',
};

/** The constants of Compose and Android. */
const CONSTANTS = {
  HIGHBOUNCY: 0.2,
  MEDIUMBOUNCY: 0.5,
  LOWBOUNCY: 0.75,
  NOBOUNCY: 1,
  HIGH: 10_000,
  MEDIUM: 1500,
  MEDIUMLOW: 400,
  LOW: 200,
  VERYLOW: 50,
};

/** The bounce of SwiftUI's named springs, which last half a second. */
const BOUNCES = { smooth: 0, snappy: 0.15, bouncy: 0.3 };

/**
 * Returns the spring of a code, `{ convention, parameters }`; null if it has none. `conventions` are those of
 * `GET /v1/springs/conventions`; `{ missing }` is a parameter that must be there and is not.
 */
export function readSnippet(code, conventions) {
  // The service writes another spelling of the same spring below the first one.
  const [text] = code.split(/\n\s*\n\s*\/\//);
  const [, id] = CONVENTIONS.find(([pattern]) => pattern.test(text)) ?? [];
  const convention = conventions.find((one) => one.id === id);
  if (!convention) return null;
  const members = membersOf(text, id);
  const known = convention.parameters.filter(({ name }) => members[name] !== undefined);
  const missing = convention.parameters.find((one) => one.required && !known.includes(one));
  if (missing) return { missing: missing.name };
  return { convention: id, parameters: Object.fromEntries(known.map(({ name }) => [name, members[name]])) };
}

function membersOf(text, id) {
  const members = {};
  const plain = text.replace(/\w+\.(?:Stiffness|DampingRatio|STIFFNESS|DAMPING_RATIO)_?(\w+)/g, (whole, name) =>
    CONSTANTS[name.replaceAll('_', '').toUpperCase()] ?? whole);
  for (const [, name, value] of plain.matchAll(/(\w+)['"]?\s*[:=(]?\s*(-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?)/gi)) {
    const parameter = NAMES[name] ?? name;
    members[parameter] ??= Number(value) * (name === 'milliseconds' ? 1e-3 : 1);
  }
  // Milliseconds in Reanimated and Anime.js, seconds in Motion.
  if (members.duration !== undefined) members.durationMs = members.duration * (id.startsWith('motion') ? 1000 : 1);
  // The initialiser of the talk calls the damping ratio `damping`.
  if (id === 'wwdc') members.dampingRatio ??= members.damping;
  const named = /\.(smooth|snappy|bouncy)\b/.exec(text);
  if (named) {
    members.duration ??= 0.5;
    members.bounce = BOUNCES[named[1]] + (members.extraBounce ?? 0);
  }
  return members;
}
