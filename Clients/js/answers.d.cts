// Made by script/bundle from openapi.json: the types of answers that the client returns as they are.

/** A range; both ends are allowed. */
export type Bounds = {
  minimum: number;
  maximum: number;
};
/** The button after each event. */
export type CalculatorButtonAnswer = {
  /** The appearance after each event, or the one that the button fades to. */
  states: ("normal" | "highlighted")[];
  /** The change of the background at each event. */
  actions: ("highlight" | "fade" | "none")[];
  /** The number of taps. */
  taps: number;
  fade: FadeAnimation;
};
/** The touches of the button. */
export type CalculatorButtonGesture = {
  /** UIKit's control events, in order. */
  events: ("touchDown" | "touchDragEnter" | "touchDragExit" | "touchUpInside" | "touchUpOutside" | "touchCancel")[];
};
/** Two springs and the largest distance between their curves. */
export type CompareAnswer = {
  /** As a share of the travel. */
  maxDistance: number;
  /** The time of this distance, in seconds. */
  time: number;
  a: ComparedSpring;
  b: ComparedSpring;
};
/** One of two compared springs. */
export type ComparedSpring = {
  spring: Spring;
  convention: ConventionID;
  /** In travels per second. */
  initialVelocity: number;
  settling: Settling;
  /** As a share of the travel. */
  overshoot: number | null;
};
/** A convention and its parameters. */
export type ConventionDescription = {
  id: ConventionID;
  /** Other names that requests may use. */
  aliases: (string)[];
  title: string;
  /** The source of its definition. */
  source: string;
  parameters: (ConventionParameter)[];
};
/** A convention: a platform and its parameters of a spring. */
export type ConventionID = "wwdc" | "physical" | "settling" | "uikit" | "uikit.durationRatio" | "swiftui.response" | "swiftui.durationBounce" | "swiftui.physical" | "swiftui.settlingDuration" | "coreanimation.perceptualDurationBounce" | "android" | "compose" | "flutter.physical" | "flutter.dampingRatio" | "flutter.durationBounce" | "reactspring.tensionFriction" | "reactspring.frequency" | "motion.physical" | "motion.durationBounce" | "motion.visualDurationBounce" | "reactnative.physical" | "reactnative.bouncinessSpeed" | "origami" | "reanimated.physical" | "reanimated.durationRatio" | "anime.durationBounce" | "anime.physical" | "svelte" | "remotion" | "figma";
/** A parameter of a convention. */
export type ConventionParameter = {
  name: string;
  aliases: (string)[];
  /** The type of the value. */
  type: "number" | "boolean";
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  exclusiveMaximum?: number;
  /** The unit in words; absent for a plain number. */
  unit?: string;
  /** Whether the parameter has no default. */
  required: boolean;
  default?: ParameterDefault;
};
/** A spring in one convention. */
export type ConventionSpring = {
  parameters: ConventionValues;
  /** Code to paste. */
  snippet: string;
  /** Whether the platform draws exactly this spring with these parameters. */
  exact: boolean;
  /** The largest distance to the curve that the platform draws, as a share of the travel; null if it draws none. */
  maxDistance: number | null;
  drawn?: DrawnSpring;
  warnings: (SpringWarning)[];
};
/** The values of a convention's own parameters; null if a double cannot express one. */
export type ConventionValues = {
  dampingRatio?: number | null;
  response?: number | null;
  epsilon?: number | null;
  mass?: number | null;
  stiffness?: number | null;
  damping?: number | null;
  /** Whether a ratio above 1 is kept. */
  allowOverDamping?: boolean;
  /** Whether the target is drawn in place of what is beyond it. */
  overshootClamping?: boolean;
  ratio?: number | null;
  duration?: number | null;
  durationMs?: number | null;
  settlingDuration?: number | null;
  visualDuration?: number | null;
  bounce?: number | null;
  tension?: number | null;
  friction?: number | null;
  frequency?: number | null;
  bounciness?: number | null;
  speed?: number | null;
  overshoot?: number | null;
};
/** The conventions, and the springs that are accepted. */
export type ConventionsAnswer = {
  springs: SpringRanges;
  conventions: (ConventionDescription)[];
};
/** In points or radians; velocities in points or radians per second. */
export type Coordinate = number;
/** One sample as numbers, or several as lists. */
export type CurveAnswer = CurveSample | CurveSamples;
/** One sample of a curve, with `position` or with `value`. */
export type CurveSample = {
  /** In seconds. */
  time: number;
  /** In travels; without `target`. */
  position?: number;
  /** In points; with `target`. */
  value?: number;
  /** In travels or points per second. */
  velocity: number;
};
/** Samples of a curve, with `position` or with `value`. */
export type CurveSamples = {
  /** In seconds. */
  times: Samples;
  /** In travels; without `target`. */
  position?: Samples;
  /** In points; with `target`. */
  value?: Samples;
  /** In travels or points per second. */
  velocity: Samples;
};
/** The share of the velocity that is left after a millisecond. */
export type DecelerationRate = NamedDecelerationRate | number;
/** A named spring, cubic Bézier or duration. */
export type DesignToken = {
  /** The names of its groups and its own, with points between them. */
  name: string;
  description: string | null;
  type: "spring" | "cubicBezier" | "duration";
  convention?: ConventionID;
  parameters?: ConventionValues;
  spring?: Spring;
  /** x1, y1, x2 and y2. */
  cubicBezier?: (number)[];
  /** In seconds. */
  duration?: number;
};
/** Groups and design tokens in the format of the Design Tokens Community Group (https://www.designtokens.org/TR/2025.10/format/). */
export type DesignTokenFile = Record<string, unknown>;
/** Design tokens in the order of their file. */
export type DesignTokensAnswer = {
  designTokens: (DesignToken)[];
};
/** The fraction complete of a drag, or the action on release. */
export type DrawerAnswer = {
  /** The fraction complete to set; it may be below 0 or above 1. */
  fraction?: number | null;
  /** Whether the animation continues unchanged or with `spring`. */
  action?: "continue" | "spring";
  /** Whether the animation must run in reverse. */
  reversed?: boolean;
  /** In travels per second; null without a spring. */
  relativeVelocity?: number | null;
  /** With `runningDuration` and a spring: the argument of `continueAnimation`. */
  durationFactor?: number;
  spring?: GestureSpring;
};
/** A drag of the drawer with `translationY`, or its release with `velocityY`. */
export type DrawerGesture = {
  /** Drag: the distance of the finger from where it touched, in points downwards. */
  translationY?: Coordinate;
  /** Drag: the fraction complete at which the finger touched. */
  progress?: Coordinate;
  /** Release: in points per second, downwards. */
  velocityY?: Coordinate;
  /** Release: the fraction complete of the animation, after a reversal. */
  fractionComplete?: Coordinate;
  /** The distance of the closed drawer below the open one, in points. */
  closedTranslationY: number;
  /** Whether the animation began at the open end. */
  isOpen: boolean;
  /** Whether the animation runs in reverse. */
  isReversed?: boolean;
  /** Release: `repo` caps the relative velocity at 30, `article` does not. */
  mode?: "article" | "repo";
  /** Release: the largest relative velocity, in travels per second. */
  cap?: number | null;
  /** Release: the duration of the running animator, in seconds. */
  runningDuration?: number;
};
/** Why the platform draws something else than the formula with these parameters. */
export type DrawnSpring = {
  /** The code of the first such warning. */
  reason: string;
  /** The time of `maxDistance` in seconds. */
  at: number | null;
  /** The distance if the platform drew the formula, as a share of the travel. */
  formulaDistance: number | null;
};
/** The animation of the fade. */
export type FadeAnimation = {
  /** In seconds. */
  duration: number;
  curve: "easeOut";
};
/** The button after each event. */
export type ForceButtonAnswer = {
  steps: (ForceButtonStep)[];
  /** All haptic feedback, in order. */
  haptics: ("light" | "medium")[];
  spring?: GestureSpring;
};
/** The touches of the button. */
export type ForceButtonGesture = {
  /** Whether the light is on at the start. */
  on?: boolean;
  events: (ForceTouch)[];
};
/** The button after one event. */
export type ForceButtonStep = {
  state: "reset" | "activated" | "confirmed";
  /** Whether the light is on. */
  on: boolean;
  scale: number;
  /** The whiteness of the background: 0 is black, 1 is white. */
  whiteness: number;
  /** Whether the finger has left the button. */
  exited: boolean;
  /** The haptic feedback of this event, `light` or `medium`. */
  haptic: string | null;
};
/** A touch of the button. */
export type ForceTouch = {
  type: "begin" | "move" | "end" | "cancel";
  /** As a share of the largest force. */
  force: number;
  /** The distance from the centre, in points of the scaled view. */
  distance: number;
};
/** The spring of the interface's animation. */
export type GestureSpring = {
  dampingRatio: number;
  /** In seconds. */
  response: number;
  mass: 1;
  stiffness: number;
  /** The coefficient. */
  damping: number;
  /** In travels per second, positive towards the target. */
  initialVelocity: number | null;
};
/** The cache of pictures. */
export type ImageCacheStatus = {
  entries: number;
  bytes: number;
  maxBytes: number;
  hits: number;
  misses: number;
};
/** The transfers of pictures from the library. */
export type ImageLoads = {
  /** Transfers of pictures from the library that are in progress. */
  running: number;
  /** Transfers of pictures that were cancelled because all waiting clients disconnected. */
  cancelled: number;
};
/** A CSS easing. */
export type LinearAnswer = {
  /** The `linear()` easing. */
  css: string;
  /** The number of stops. */
  stops: number;
  /** The largest measured distance to the spring, as a share of the travel. */
  maxError: number;
  /** The duration of the easing, in seconds. */
  duration: number;
  /** The distance between the spring and its target at the end, as a share of the travel. */
  endResidual: number;
  /** A `cubic-bezier()` fitted to the spring. */
  fallback: string;
  /** The CSS rule that `Accept: text/css` returns: custom properties with `@supports`. */
  rule: string;
};
/** UIKit's rates: `normal` is 0.998, `fast` is 0.99. */
export type NamedDecelerationRate = "normal" | "fast";
/** The preset of a platform with the nearest curve. */
export type NearestPreset = {
  platform: string;
  name: string;
  /** As a share of the travel. */
  maxDistance: number;
  /** The time of this distance, in seconds. */
  time: number;
};
/** The value of a parameter that is not given; absent if the parameter is required. */
export type ParameterDefault = number | boolean;
/** Whether the finger pauses, for every sample. */
export type PauseAnswer = {
  mode: "article" | "repo";
  fired: (boolean)[];
};
/** The samples of a gesture. */
export type PauseGesture = {
  /** Whether to behave as the article or as its repository. */
  mode?: "article" | "repo";
  /** The samples of one gesture, in order. */
  samples: (PauseSample)[];
};
/** The movement of the finger at one time. */
export type PauseSample = {
  velocity: Coordinate;
  offset: Coordinate;
};
/** The calls to the library that are left in this hour, as this replica knows since its last call. */
export type PhotoBudget = {
  /** Calls per hour. */
  limit: number;
  remaining: number;
  resetsInSeconds: number;
};
/** The corner for a flung picture, and the spring to it. */
export type PictureInPictureAnswer = {
  /** The end of the fling, in points. */
  projected: (number)[];
  /** The corner nearest to `projected`. */
  corner: Vector;
  relativeVelocity: RelativeVector;
  spring: VectorSpring;
};
/** The release of a flung picture. */
export type PictureInPictureGesture = {
  /** The centre of the picture at the release, in points. */
  center: Vector;
  /** In points per second. */
  velocity: Vector;
  /** The possible positions of the centre, in points: top left, top right, bottom left, bottom right. */
  corners: ((Coordinate)[])[];
  decelerationRate?: DecelerationRate;
};
/** The settling time by each platform's own definition; null also if the platform's value is not known. */
export type PlatformSettling = {
  swiftui: number | null;
  /** Known only for a start at rest. */
  coreAnimation: number | null;
  /** Sampled every 50 ms, as Motion does. */
  motion50ms: number | null;
  flutter: number | null;
  android: number | null;
  compose: number | null;
  reactSpring: number | null;
  reactNative: number | null;
  reanimated: number | null;
  /** The frames of `measureSpring`, by `fps`, from a start at rest. */
  remotion: number | null;
  /** From a start at rest. */
  svelte: number | null;
  /** Sampled every 20 ms, as anime.js does. */
  anime: number | null;
};
/** A named spring of a platform. */
export type Preset = {
  platform: string;
  name: string;
  convention: ConventionID;
  parameters: ConventionValues;
  spring: Spring;
};
/** The named springs of every platform. */
export type PresetsAnswer = {
  /** Only with a spring in the query: the nearest preset of each platform. */
  nearest?: (NearestPreset)[];
  presets: (Preset)[];
};
/** x and y, in travels per second of each axis. */
export type RelativeVector = (number)[];
/** The interruption of an animation, and the curve that continues from there. */
export type RetargetAnswer = {
  /** The value at the interruption, in points. */
  value: number;
  /** The velocity at the interruption, in points per second. */
  velocity: number;
  /** The same velocity in travels per second of the new curve, positive towards the new target. */
  initialVelocity: number;
  spring: Spring;
  settling: Settling;
  /** The largest distance beyond the new target, as a share of the new travel. */
  overshoot: number | null;
  /** With `runningDuration`: the argument of `UIViewPropertyAnimator.continueAnimation`. */
  durationFactor?: number | null;
  /** The `linear()` easing of the new curve; null if there is none. */
  css: string | null;
  stops: number | null;
  /** Measured, as a share of the new travel. */
  maxError: number | null;
  /** In seconds. */
  duration: number | null;
  /** As a share of the new travel. */
  endResidual: number | null;
  /** A `cubic-bezier()` easing. */
  fallback: string | null;
};
/** The quarter turn for a rotation, and the spring to it. */
export type RotationAnswer = {
  /** The end of the rotation, in radians. */
  projected: number;
  /** The quarter turn nearest to `projected`, in radians. */
  angle: number;
  /** The sum of `angle` and `originalRotation`. */
  finalRotation: number;
  /** In travels per second. */
  relativeVelocity: number;
  spring: VectorSpring;
};
/** The end of a rotation by two fingers. */
export type RotationGesture = {
  /** The rotation by the gesture, in radians. */
  rotation: Coordinate;
  /** In radians per second. */
  velocity: Coordinate;
  decelerationRate?: DecelerationRate;
  /** Whether the quarter turn is limited to half a turn in either direction. */
  clamp?: boolean;
  /** The rotation of the view before the gesture, in radians. */
  originalRotation?: Coordinate;
};
/** The position of the content for a finger, or of the finger for the content. */
export type RubberbandAnswer = {
  /** The resistance model. */
  model: "power" | "apple" | "appleInverse" | "accelerationDrag";
  /** The position of the finger beyond the limit, in points; null if no finger reaches `value`. */
  offset: number | null;
  /** The position of the content, in points. */
  value: number | null;
  /** The finger's position computed back from `value`, in points. */
  inverse?: number | null;
};
/** Numbers, one for each time. */
export type Samples = (number)[];
/** Seconds until a spring is at rest; null means never. */
export type Settling = {
  /** The last time at which the distance exceeds epsilon, exactly. */
  settlingTime: number | null;
  /** A bound that changes smoothly with the spring; null if there is no envelope. */
  envelope: number | null;
  /** As a share of the travel. */
  epsilon: number;
  platforms: PlatformSettling;
};
/** A spring under all its names. */
export type Spring = {
  /** ζ: 0 is undamped, below 1 oscillates, 1 is critically damped, above 1 is overdamped. */
  dampingRatio: number;
  /** The period without damping, in seconds. */
  response: number;
  /** 1 - ζ up to ζ = 1, 1/ζ - 1 above it. */
  bounce: number;
  mass: number | null;
  /** Mass · naturalFrequency². */
  stiffness: number | null;
  /** The coefficient: 2 · ζ · mass · naturalFrequency. */
  damping: number | null;
  /** 2π / response, in radians per second. */
  naturalFrequency: number;
  /** The frequency of the oscillation, in radians per second; 0 if there is none. */
  dampedFrequency: number;
  regime: "undamped" | "underdamped" | "critical" | "overdamped";
  /** The stiffness of the same motion at mass 1. */
  unitMassStiffness: number | null;
  /** The damping of the same motion at mass 1. */
  unitMassDamping: number | null;
  origamiTension: number | null;
  origamiFriction: number | null;
  /** Motion's `visualDuration`, in seconds. */
  motionVisualDuration: number;
  /** Motion's `duration`, in milliseconds; null if Motion cannot express this spring by it. */
  motionDurationMs: number | null;
};
/** A spring, and its parameters in every convention. */
export type SpringAnswer = {
  spring: Spring;
  convention: ConventionID;
  /** In travels per second. */
  initialVelocity: number;
  settling: Settling;
  /** The largest distance beyond the target, as a share of the travel. */
  overshoot: number | null;
  /** The spring in every convention. */
  conventions: Record<string, ConventionSpring>;
  /** Changes that the convention of the request makes to the spring. */
  warnings: (SpringWarning)[];
};
/** The springs that are accepted, in any convention. */
export type SpringRanges = {
  /** In radians per second. */
  naturalFrequency: Bounds;
  /** The same range as periods, in seconds. */
  response: Bounds;
  /** In seconds. */
  settlingTime: Bounds;
};
/** A property that a platform cannot express or draw, and the distance of its curve because of it. */
export type SpringWarning = {
  code: "overdampedDrawnAsCritical" | "dampingCapped" | "stiffnessCapped" | "massLimited" | "ratioLimited" | "durationLimited" | "bouncinessLimited" | "speedLimited" | "durationTruncated" | "rounded" | "velocityIgnored" | "velocityLimited" | "solvedWithVelocity" | "undampedRefused" | "overshootClamped" | "cutOff" | "drawnInSteps" | "drawnInFrames" | "dampedPerFrame" | "drawnSlower" | "stepsTooLong";
  detail: string;
  /** As a share of the travel. */
  maxDistance: number | null;
};
/** The status of the service. */
export type Status = {
  version: string;
  uptimeSeconds: number;
  draining: boolean;
  bars: StatusBars;
  store: StatusStore;
  photos: StatusPhotos;
};
/** The bars in memory. */
export type StatusBars = {
  sessions: number | null;
  maxSessions: number | null;
};
/** The photo library and the cache of pictures. */
export type StatusPhotos = {
  library: "sandbox" | "unsplash";
  upstream: "ok" | "degraded" | "down";
  budget: PhotoBudget;
  imageCache: ImageCacheStatus;
  imageLoads: ImageLoads;
};
/** The store of the bars. */
export type StatusStore = {
  kind: "memory" | "redis";
  state: "up" | "away";
  /** The time when the state began. */
  since: string;
  /** The mean time of the last calls. */
  latencyMs: number | null;
  /** Calls without a reply. */
  pending: number;
};
/** x and y. */
export type Vector = (Coordinate)[];
/** The spring of an animation in two dimensions. */
export type VectorSpring = {
  dampingRatio: number;
  /** In seconds. */
  response: number;
  mass: 1;
  stiffness: number;
  /** The coefficient. */
  damping: number;
  /** x and y, in travels per second of each axis, as UIKit's `CGVector`. */
  initialVelocity: RelativeVector;
};
