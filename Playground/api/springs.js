// /v1/springs and its neighbours: pure functions, so every answer may come from the browser's cache.

export class Springs {
  #client;

  constructor(client) {
    this.#client = client;
  }

  /** The spring in every convention, with its settling and overshoot. */
  spring(parameters, { signal } = {}) {
    return this.#client.get('/v1/springs', { query: parameters, signal });
  }

  /** Positions and velocities at the given times, in seconds. */
  curve(parameters, times, { signal } = {}) {
    return this.#client.get('/v1/springs/curve', { query: { ...parameters, times: times.join(',') }, signal });
  }

  /** The spring as a CSS `linear()`, with the number of its stops and its largest error. */
  linear(parameters, { maxError, signal } = {}) {
    return this.#client.get('/v1/springs/linear', { query: { ...parameters, maxError }, signal });
  }

  /** Where a running spring is at `time`, and how it goes on towards a new target. */
  retarget(parameters, { start, target, velocity, time, newTarget }, { signal } = {}) {
    const query = { ...parameters, start, target, velocity, time, newTarget };
    return this.#client.get('/v1/springs/retarget', { query, signal });
  }

  /** The largest distance between two springs. */
  compare(a, b, { signal } = {}) {
    return this.#client.get('/v1/springs/compare', { query: { ...prefixed('a.', a), ...prefixed('b.', b) }, signal });
  }

  /** Every convention, with its parameters and their ranges. */
  conventions({ signal } = {}) {
    return this.#client.get('/v1/springs/conventions', { signal });
  }

  /** Every platform's named springs. */
  presets({ signal } = {}) {
    return this.#client.get('/v1/springs/presets', { signal });
  }

  /** How far a pull beyond a limit moves what is pulled. */
  rubberband(model, offset, parameters = {}, { signal } = {}) {
    return this.#client.get('/v1/rubberband', { query: { model, offset, ...parameters }, signal });
  }
}

function prefixed(prefix, parameters) {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [prefix + name, value]));
}
