// /v1/gestures: the decisions of "Building Fluid Interfaces". Each is a pure function of what it is told.

export class Gestures {
  #client;

  constructor(client) {
    this.#client = client;
  }

  /** `states` after each touch event, and how many `taps` they were. */
  calculatorButton(events, options) {
    return this.#decide('calculator-button', { events }, options);
  }

  /** State, switch and scale after each `{ type, force, distance }`, and the haptics; `on` is the switch before them. */
  forceButton({ on, events }, options) {
    return this.#decide('force-button', { on, events }, options);
  }

  /** For each `{ velocity, offset }`, whether it was the moment of a pause. */
  pause(samples, options) {
    return this.#decide('pause', { mode: 'repo', samples }, options);
  }

  /** The fraction of the way that a drag of the drawer has come. */
  drawerFraction(drag, options) {
    return this.#decide('drawer', drag, options);
  }

  /** What the drawer does once it is let go. */
  drawerEnd(release, options) {
    return this.#decide('drawer', release, options);
  }

  /** The corner that a thrown window goes to. */
  pip(thrown, options) {
    return this.#decide('pip', thrown, options);
  }

  /** The quarter turn that a turned thing comes to rest at. */
  rotation(turned, options) {
    return this.#decide('rotation', turned, options);
  }

  #decide(name, body, { signal } = {}) {
    return this.#client.post(`/v1/gestures/${name}`, body, { signal });
  }
}
