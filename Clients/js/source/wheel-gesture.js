// Converts a wheel or a trackpad to a pan, which begins with the first event and ends after a pause.

import { isTakenWithin } from './nested-scrollers.js';

const WHEEL_QUIET = 140;
const LINE = 16;
/** The fraction of the remaining distance in a frame: a coarse wheel moves smoothly, a trackpad at once. */
const SHARE = 0.35;

/** Calls `on.began()`, `on.moved(distance)` once a frame and `on.ended()`, if `on.wants(direction)` is true. */
export class WheelGesture {
  #on;
  #pending = 0;
  #lastNotch = 0;
  #frame = 0;

  constructor(element, on, { signal }) {
    this.#on = on;
    // Not passive, because a wheel that moves the list must not scroll the page, too.
    element.addEventListener('wheel', (event) => this.#turn(event), { passive: false, signal });
  }

  #turn(event) {
    if (event.defaultPrevented || event.ctrlKey || Math.abs(event.deltaY) <= Math.abs(event.deltaX)) return;
    // By `deltaMode`: pixels, lines or pages (https://w3c.github.io/uievents/#idl-wheelevent).
    const unit = [1, LINE, event.currentTarget.clientHeight][event.deltaMode];
    const isRunning = this.#frame !== 0;
    const direction = Math.sign(event.deltaY);
    if (!isRunning && !this.#on.wants(direction)) return;
    if (!isRunning && isTakenWithin(event.currentTarget, event.composedPath(), direction)) return;
    event.preventDefault();
    if (!isRunning) {
      this.#on.began();
      this.#frame = requestAnimationFrame((now) => this.#step(now));
    }
    this.#pending += event.deltaY * unit;
    this.#lastNotch = performance.now();
  }

  #step(now) {
    const distance = Math.abs(this.#pending) < 1 ? this.#pending : this.#pending * SHARE;
    this.#pending -= distance;
    if (distance !== 0) this.#on.moved(distance);
    if (this.#pending === 0 && now - this.#lastNotch > WHEEL_QUIET) {
      this.#frame = 0;
      return this.#on.ended();
    }
    this.#frame = requestAnimationFrame((next) => this.#step(next));
  }

  get isRunning() {
    return this.#frame !== 0;
  }

  /** Drops the remaining distance, without an end of the pan. */
  stop() {
    cancelAnimationFrame(this.#frame);
    [this.#pending, this.#frame] = [0, 0];
  }
}
