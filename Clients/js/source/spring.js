// A damped spring: its parameters in three conventions, and its position at any time in closed form.

import { freeMotion, lastTimeAbove } from './free-motion.js';

/** The parameters of each convention; the service converts the others (`springbar.springs.spring`). */
const conventions = {
  wwdc: ({ dampingRatio, damping = dampingRatio, response, mass }) => [damping, response, mass],
  physical: ({ mass = 1, stiffness, damping }) => [
    snapped(damping / (2 * Math.sqrt(stiffness) * Math.sqrt(mass))),
    (2 * Math.PI) / Math.sqrt(stiffness / mass),
    mass,
  ],
  'swiftui.durationBounce': ({ duration, bounce = 0 }) => [bounce >= 0 ? 1 - bounce : 1 / (1 + bounce), duration],
};

/** The part of an error that segments may use; the rest is for the curve between two samples and for rounding. */
const KEPT = 0.9;
/** The most samples of a curve. */
const MOST = 1e6;

/** Throws unless a number is in the range that the service allows. */
function check(name, value, least, most) {
  if (!(value >= least && value <= most)) throw new RangeError(`\`${name}\` must be from ${least} to ${most}`);
}

/** A critical spring in decimals misses 1 because of rounding, but counts as critical. */
const snapped = (ratio) => (Math.abs(ratio - 1) <= 4 * Number.EPSILON ? 1 : ratio);

/** Returns the convention that the service infers from the names. */
function convention({ convention: name, stiffness, duration, response, damping, dampingRatio = damping }) {
  if (name || stiffness !== undefined) return name ?? 'physical';
  if (duration === undefined || response !== undefined) return 'wwdc';
  return dampingRatio === undefined ? 'swiftui.durationBounce' : 'uikit.durationRatio';
}

/** The motion from 0 to 1 of a spring that starts with `initialVelocity` travels per second. Times are in seconds. */
export class Spring {
  #remaining;

  /**
   * Takes `{ dampingRatio, response }`, `{ mass, stiffness, damping }` or `{ duration, bounce }`, and
   * `initialVelocity`.
   */
  constructor(parameters) {
    const name = convention(parameters);
    if (!Object.hasOwn(conventions, name)) throw new RangeError(`${name}: ask the service to convert it`);
    const [dampingRatio, response, mass = 1] = conventions[name](parameters);
    if (!(dampingRatio >= 0 && dampingRatio < Infinity && response > 0 && response < Infinity && mass > 0)) {
      throw new RangeError('must be: damping ratio from 0, response above 0');
    }
    Object.assign(this, { dampingRatio, response, mass });
    this.initialVelocity = parameters.initialVelocity ?? parameters.relativeVelocity ?? 0;
    /** Radians per second. */
    this.naturalFrequency = (2 * Math.PI) / response;
    this.#remaining = freeMotion(dampingRatio, this.naturalFrequency, 1, -this.initialVelocity);
  }

  get stiffness() {
    return this.mass * this.naturalFrequency ** 2;
  }

  get damping() {
    return 2 * this.dampingRatio * this.mass * this.naturalFrequency;
  }

  /** Apple's bounce: 1 is undamped, 0 critically damped, below 0 overdamped. */
  get bounce() {
    const { dampingRatio } = this;
    return dampingRatio <= 1 ? 1 - dampingRatio : 1 / dampingRatio - 1;
  }

  /** Returns `{ position, velocity }`: the target is 1, the velocity is in travels per second. */
  at(time) {
    const [distance, rate] = this.#remaining(time);
    return { position: 1 - distance, velocity: -rate };
  }

  position(time) {
    return 1 - this.#remaining(time)[0];
  }

  /** Returns `{ value, velocity }` in points of a motion from `start` to `target`, which may be equal. */
  value(time, { start, target, velocity = this.initialVelocity * (target - start) }) {
    const [distance, rate] = freeMotion(this.dampingRatio, this.naturalFrequency, target - start, -velocity)(time);
    return { value: target - distance, velocity: -rate };
  }

  /** The last time at which the distance exceeds `epsilon` of the travel; null if it never settles. */
  settlingTime(epsilon = 0.001) {
    return lastTimeAbove(epsilon, this.dampingRatio, this.naturalFrequency, -this.initialVelocity);
  }

  /** Returns the same spring for a motion that is interrupted at `time` and continues to `newTarget`. */
  retarget(time, { start = 0, target = 1, velocity, newTarget }) {
    const now = this.value(time, { start, target, velocity });
    const distance = newTarget - now.value;
    return new Spring({ ...this, convention: 'wwdc', initialVelocity: distance === 0 ? 0 : now.velocity / distance });
  }

  /**
 * Returns the curve as line segments, `{ time, position }` each, that stay within `maxError` of it. Every segment is as
 * long as possible. The service's `linear` finds the fewest that can be printed. A spring without damping needs a
 * `duration`.
 */
  stops({ maxError = 0.002, duration = this.settlingTime(KEPT * maxError) } = {}) {
    const { naturalFrequency, dampingRatio, initialVelocity } = this;
    check('initialVelocity', initialVelocity, -1e6, 1e6);
    check('maxError', maxError, 0.0005, 0.1);
    // Between two samples the curve is off by a quarter of the rest at most: half of its second derivative is below this
    // bound, since the spring's part is, and so is the damping's part, in which the velocity either falls from the
    // initial one or is limited by the spring.
    const bend = naturalFrequency * (this.#speed + dampingRatio * Math.abs(initialVelocity));
    const step = Math.sqrt((1 - KEPT) * maxError / bend);
    check('duration', duration, 1e-6, Math.min(3600, MOST * step));
    const distance = Math.abs(1 - this.position(duration));
    if (distance > maxError) throw new RangeError(`\`duration\` ends ${distance} of the travel from the target`);
    const steps = Math.max(200, Math.ceil(duration / step));
    const tolerance = KEPT * maxError;
    const point = (index) => {
      const time = (duration * index) / steps;
      return { time, position: index === steps ? 1 : this.position(time) };
    };
    const stops = [point(0)];
    for (let reached = 0; reached < steps; stops.push(point(reached))) {
      const start = stops.at(-1);
      let [least, most] = [-Infinity, Infinity];
      for (let index = reached + 1; index <= steps && least <= most; index += 1) {
        const { time, position } = point(index);
        const span = time - start.time;
        const slope = (position - start.position) / span;
        if (least <= slope && slope <= most) reached = index;
        least = Math.max(least, slope - tolerance / span);
        most = Math.min(most, slope + tolerance / span);
      }
    }
    return stops;
  }

  /** Returns the curve as a CSS `linear()`. */
  linear(options = {}) {
    const stops = this.stops(options);
    const { time: duration } = stops.at(-1);
    // The rounding of a position, and that of a time at the highest speed, use a quarter of the rest at most.
    const rest = ((1 - KEPT) * (options.maxError ?? 0.002)) / 2;
    const round = (value, step) => Number(value.toFixed(Math.ceil(-Math.log10(step)))) + 0;
    const step = (100 * rest) / (this.#speed * duration);
    const share = (time) => round((100 * time) / duration, step);
    const texts = stops.map(({ time, position }) => `${round(position, rest)} ${share(time)}%`);
    return { css: `linear(${texts.join(', ')})`, duration, stops: stops.length };
  }

  /**
 * Returns `{ keyframes, options }` for `element.animate`. `frame(position)` makes the keyframe of a position, which may
 * overshoot.
 */
  keyframes(frame, { maxError = 0.002, ...options } = {}) {
    const stops = this.stops({ maxError });
    const { time: duration } = stops.at(-1);
    return {
      keyframes: stops.map(({ time, position }) => ({ ...frame(position), offset: time / duration, easing: 'linear' })),
      options: { duration: duration * 1000, fill: 'both', ...options },
    };
  }

  /** A bound of the velocity. */
  get #speed() {
    return this.naturalFrequency + Math.abs(this.initialVelocity);
  }
}
