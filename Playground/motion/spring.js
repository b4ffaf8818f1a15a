// A damped spring in closed form: where it is at any time, without stepping, so that it can be left and taken up at will.

/** The motion from 0 to 1 of a spring that starts with `initialVelocity` travels a second. */
export class SpringMotion {
  #omega;
  #zeta;
  #v0;

  /** `dampingRatio` and `response` (seconds) as the service answers them, `initialVelocity` relative to the travel. */
  constructor({ dampingRatio, response, initialVelocity = 0 }) {
    this.#zeta = dampingRatio;
    this.#omega = (2 * Math.PI) / response;
    this.#v0 = initialVelocity;
  }

  /** `{ position, velocity }` after `time` seconds; position 1 is the target. */
  at(time) {
    const omega = this.#omega;
    const zeta = this.#zeta;
    const gamma = zeta * omega;
    const d = omega * omega * (1 - zeta) * (1 + zeta);
    const decay = Math.exp(-gamma * time);
    const { c, s } = fundamental(d, time);
    return {
      position: 1 - decay * (c + (gamma - this.#v0) * s),
      velocity: decay * (this.#v0 * c + (omega * omega - gamma * this.#v0) * s),
    };
  }

  /** Whether it is within half a thousandth of the target for good, as far as an eye can tell. */
  hasSettled(time) {
    const { position, velocity } = this.at(time);
    return Math.abs(position - 1) < 5e-4 && Math.abs(velocity) < 5e-3;
  }
}

/** The two solutions C and S of x'' = -d x with C(0) = 1 and S'(0) = 1, for either sign of d and near 0. */
function fundamental(d, t) {
  const square = d * t * t;
  if (Math.abs(square) < 1e-6) return { c: 1 - square / 2, s: t * (1 - square / 6) };
  const r = Math.sqrt(Math.abs(d));
  return d > 0
    ? { c: Math.cos(r * t), s: Math.sin(r * t) / r }
    : { c: Math.cosh(r * t), s: Math.sinh(r * t) / r };
}
