// The API of the service: `springbar.bar({ … })`, `springbar.springs.linear({ … })`, `springbar.photos.pager()`.

import { Bar } from './bar.js';
import { Connection } from './connection.js';
import { Photos } from './photos.js';

export class Springbar {
  /** `connection` is the service's address, or `{ base, token, authorize, timeout, environment }`. */
  constructor(connection = {}) {
    this.connection = new Connection(typeof connection === 'string' ? { base: connection } : connection);
    this.springs = new Springs(this.connection);
    this.photos = new Photos(this.connection);
  }

  /** Starts the session of a bar, which can be used immediately; `body` is that of `POST /v1/bars`. */
  bar(body, options) {
    return new Bar(this.connection, body, options);
  }

  /**
   * Lets a bar follow a scrolling element: by fingers, wheel, keys and scroll bar. Resolves with a `BarFollower`, when
   * `follow.js` is loaded.
   */
  async follow(list, options) {
    const { follow } = await import('./follow.js');
    return follow(this, list, options);
  }

  /** Returns the result of a gesture of "Building Fluid Interfaces": `pause`, `drawer`, `pip`, … */
  gesture(name, body, options) {
    return this.connection.post(`/v1/gestures/${name}`, body, options);
  }

  /** Returns the status of the service. */
  status(options) {
    return this.connection.get('/v1/status', {}, options);
  }
}

/**
 * The service's operations on springs: every convention and platform, and `linear()` with the fewest stops. Each method
 * takes the parameters of its path; `compare` takes two springs, as `{ a, b }`.
 */
export class Springs {
  constructor(connection) {
    const ask = (path) => (parameters, options) => connection.get(`/v1/${path}`, parameters, options);
    this.spring = ask('springs');
    for (const name of ['linear', 'curve', 'retarget', 'compare', 'conventions', 'presets']) {
      this[name] = ask(`springs/${name}`);
    }
    this.rubberband = ask('rubberband');
    this.designTokens = ask('design-tokens');
  }
}

export { Bar } from './bar.js';
export { BarLayout } from './bar-layout.js';
export { Emitter } from './emitter.js';
export { Pager, Photos } from './photos.js';
export { Problem } from './problem.js';
export { DECELERATION, project, relativeVelocity, rubberband } from './projection.js';
export { Spring } from './spring.js';

/** The version of this module and of its service. */
export const VERSION = '1.1.0';
