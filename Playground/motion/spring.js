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
    const { c, s } = fundamental(d, gamma, time);
    return {
      position: 1 - (c + (gamma - this.#v0) * s),
      velocity: this.#v0 * c + (omega * omega - gamma * this.#v0) * s,
    };
  }

  /** Whether it is within half a thousandth of the target for good, as far as an eye can tell. */
  hasSettled(time) {
    const { position, velocity } = this.at(time);
    return Math.abs(position - 1) < 5e-4 && Math.abs(velocity) < 5e-3;
  }
}

/**
 * The two solutions of x'' + 2γx' + (γ² + d)x = 0 with x(0) = 1 and with x'(0) = 1, for either sign of d and near 0.
 * Past critical damping both are sums of two decays, which cannot overflow as cosh and sinh would.
 */
function fundamental(d, gamma, t) {
  const decay = Math.exp(-gamma * t);
  const square = d * t * t;
  if (Math.abs(square) < 1e-6) return { c: decay * (1 - square / 2), s: decay * t * (1 - square / 6) };
  const r = Math.sqrt(Math.abs(d));
  if (d > 0) return { c: decay * Math.cos(r * t), s: (decay * Math.sin(r * t)) / r };
  const slow = Math.exp((r - gamma) * t);
  const fast = Math.exp((-r - gamma) * t);
  return { c: (slow + fast) / 2, s: (slow - fast) / (2 * r) };
}
