// The velocity of a pointer.

const WINDOW = 0.1;
/** The shortest time of a movement, in seconds; the quotient of nearly simultaneous events is meaningless. */
const SHORTEST = 1 / 120;

/** The velocity over the last tenth of a second, in points per second for each axis. */
export class VelocityTracker {
  #samples = [];

  /** Adds a position at a time in milliseconds, such as that of an event. */
  add(time, ...position) {
    this.#samples.push({ time: time / 1000, position });
    while (this.#samples.length > 2 && this.#samples.at(-1).time - this.#samples[0].time > WINDOW) this.#samples.shift();
  }

  /** Returns the velocity at `time`; zero if the pointer has rested, so a pause before the release is not a throw. */
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
