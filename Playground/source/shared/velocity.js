// How fast a pointer is when it leaves.

const WINDOW = 0.1;
/** Seconds that a movement takes at least: of two events at nearly the same time the quotient says nothing. */
const SHORTEST = 1 / 120;

/** Velocity in points a second over the last tenth of a second, per axis. */
export class VelocityTracker {
  #samples = [];

  /** Adds a position at a time in milliseconds, such as that of an event. */
  add(time, ...position) {
    this.#samples.push({ time: time / 1000, position });
    while (this.#samples.length > 2 && this.#samples.at(-1).time - this.#samples[0].time > WINDOW) this.#samples.shift();
  }

  /** The velocity at `time`; zeros when the pointer has rested, for a pause before letting go means no throw. */
  velocity(time) {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (!first) return [0];
    const zero = last.position.map(() => 0);
    if (time / 1000 - last.time > WINDOW) return zero;
    const elapsed = last.time - first.time;
    if (elapsed <= 0) return zero;
    return last.position.map((value, axis) => (value - first.position[axis]) / Math.max(elapsed, SHORTEST));
  }
}
