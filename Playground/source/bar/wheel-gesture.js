// A wheel or a trackpad, made into a pan: it begins with the first notch and ends when the wheel has been quiet.

const WHEEL_QUIET = 140;
const LINE = 16;
/** The share of the outstanding way that a frame takes: a coarse wheel glides, a trackpad follows at once. */
const SHARE = 0.35;

/** Calls `on.began()`, `on.moved(distance)` once a frame and `on.ended()`; `on.wants(direction)` says whether the list cares. */
export class WheelGesture {
  #on;
  #pending = 0;
  #lastNotch = 0;
  #frame = 0;

  constructor(element, on) {
    this.#on = on;
    // Not passive: a wheel that moves the list must not move the page as well.
    element.addEventListener('wheel', (event) => this.#turn(event), { passive: false });
  }

  #turn(event) {
    if (event.ctrlKey || event.deltaY === 0) return;
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE;
    const isRunning = this.#frame !== 0;
    if (!isRunning && !this.#on.wants(Math.sign(event.deltaY))) return;
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

  /** Forgets what is outstanding. */
  stop() {
    this.#pending = 0;
  }
}
