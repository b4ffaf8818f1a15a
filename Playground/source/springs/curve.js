// A spring for the plot: dense samples for any damping, the peak, the settling time, the distance to another spring.

import { Spring } from '/client/springbar.js';

/** The number of samples of a period, and the smallest and the largest number of a plot. */
const [PER_PERIOD, LEAST, MOST] = [28, 240, 12_000];

export class Curve {
  constructor({ dampingRatio, response }, initialVelocity = 0, epsilon = 0.001) {
    this.spring = new Spring({ dampingRatio, response, initialVelocity });
    this.initialVelocity = initialVelocity;
    this.settlingTime = this.spring.settlingTime(epsilon);
    const turns = extrema(this.spring);
    /** The first extremum beyond the target, `{ time, position }`; null if there is none. */
    this.peak = turns.find(({ position }) => position > 1) ?? null;
    /** The distance by which the curve leaves the way between start and target, on either side. */
    this.excess = Math.max(0, ...turns.map(({ position }) => Math.max(position - 1, -position)));
  }

  /** The overshoot, as a fraction of the travel. */
  get overshoot() {
    return this.peak ? this.peak.position - 1 : 0;
  }

  get regime() {
    const { dampingRatio } = this.spring;
    if (dampingRatio === 0) return 'undamped';
    return dampingRatio < 1 ? 'underdamped' : dampingRatio === 1 ? 'critically damped' : 'overdamped';
  }

  at(time) {
    return this.spring.at(time);
  }

  /** Returns positions from 0 to `duration` as `[time, position]`, 28 or more per period, at most 12,000. */
  samples(duration) {
    const { dampingRatio, response } = this.spring;
    const periods = dampingRatio < 1 ? duration / response : 0;
    const count = Math.round(Math.min(MOST, Math.max(LEAST, periods * PER_PERIOD)));
    return Array.from({ length: count + 1 }, (_, index) => {
      const time = (duration * index) / count;
      return [time, this.spring.position(time)];
    });
  }

  /** Returns the largest distance to another curve, `{ maxDistance, time }`. */
  distance(other) {
    const duration = Math.min(60, Math.max(this.settlingTime ?? 20, other.settlingTime ?? 20));
    const away = (time) => Math.abs(this.spring.position(time) - other.spring.position(time));
    const steps = 4000;
    let best = 0;
    for (let index = 1; index <= steps; index += 1) {
      if (away((duration * index) / steps) > away((duration * best) / steps)) best = index;
    }
    // The distance is smooth around its largest sample, so a ternary search finds the maximum.
    let [low, high] = [Math.max(0, best - 1), best + 1].map((index) => (duration * index) / steps);
    while (high - low > 1e-12 * duration) {
      const [left, right] = [low + (high - low) / 3, high - (high - low) / 3];
      if (away(left) < away(right)) low = left;
      else high = right;
    }
    return { maxDistance: away(low), time: low };
  }
}

/** Returns the first extrema, `{ time, position }`; the furthest ones are among them. */
function extrema(spring) {
  const { dampingRatio: ratio, naturalFrequency: frequency, initialVelocity } = spring;
  const root = Math.sqrt(Math.abs((1 - ratio) * (1 + ratio)));
  const split = frequency * root;
  const times = [];
  if (ratio < 1) {
    const interval = Math.PI / split;
    const angle = Math.atan2(-initialVelocity * split, frequency * (frequency - ratio * initialVelocity));
    const first = angle < 0 ? angle / split + interval : angle / split;
    times.push(first, first + interval, first + 2 * interval);
  } else {
    const q = -initialVelocity / (frequency * (frequency - (ratio + root) * initialVelocity));
    if (q > 0 && 2 * split * q < 1) times.push(split > 0 ? -Math.log1p(-2 * split * q) / (2 * split) : q);
  }
  return times.filter((time) => time > 0).map((time) => ({ time, position: spring.position(time) }));
}
