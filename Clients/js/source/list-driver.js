// Converts every movement of the list to events of the bar's session: content offsets, and the pan around them.

import { decelerate } from './deceleration.js';
import { PanGesture } from './pan-gesture.js';
import { banded, unbanded } from './rubber-band.js';
import { WheelGesture } from './wheel-gesture.js';

/** Milliseconds without a scroll after which a scroll by keys or assistive technology has ended. */
const QUIET = 140;
const KEYS = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' ']);

/**
 * Moves `view` and reports to `report.offset()`, `report.pan(state, velocity)` and `report.touched()`, which returns
 * whether it has stopped an animation.
 */
export class ListDriver {
  #view;
  #report;
  #pan;
  #wheel;
  #origin = 0;
  #running = null;
  #foreign = 0;
  /** Whether a pull at the top can have an effect, which depends on the bar. */
  canPull = () => true;

  /** With `mouse`, a mouse drags the list, too; `signal` ends the observation. */
  constructor(view, report, { mouse, signal }) {
    this.#view = view;
    this.#report = report;
    const settings = { mouse, signal };
    const wants = (direction) => this.#wants(direction);
    const touched = () => this.#touch();
    const pan = {
      wants,
      touched,
      released: () => this.#release(0),
      began: () => this.#begin(),
      changed: (travel) => this.#drag(travel),
      ended: (velocity) => this.#end('ended', -velocity),
      cancelled: () => this.#end('cancelled', 0),
    };
    const wheel = {
      wants,
      began: () => {
        touched();
        this.#takeOver();
        this.#report.pan('began');
      },
      moved: (distance) => this.#scroll(this.#view.clamped(this.#view.y + distance)),
      ended: () => this.#report.pan('ended', 0),
    };
    this.#pan = new PanGesture(view.element, pan, settings);
    this.#wheel = new WheelGesture(view.element, wheel, settings);
    view.onForeignScroll = () => this.#followForeign();
    view.element.addEventListener('keydown', ({ key }) => KEYS.has(key) && this.#press(), { signal });
    signal.addEventListener('abort', () => {
      clearTimeout(this.#foreign);
      this.stop();
    });
  }

  /** Whether a finger holds the list. */
  get isHeld() {
    return this.#pan.isTouching;
  }

  /** Whether the list moves without a finger, or such a movement has not ended. */
  get isMoving() {
    return Boolean(this.#running?.isRunning) || this.#wheel.isRunning || this.#foreign !== 0;
  }

  /** Stops any movement without a finger. */
  stop() {
    this.#running?.stop();
    this.#running = null;
    this.#wheel.stop();
  }

  /** Stops all movements; returns whether there was one. The pan of a wheel ends later, unless another one follows. */
  #touch() {
    const { isMoving } = this;
    if (this.#wheel.isRunning) this.#endLater();
    this.stop();
    return this.#report.touched() || isMoving;
  }

  /** A key ends any movement, and then the browser scrolls the list; if it does not, the bar still comes to rest. */
  #press() {
    if (this.#touch()) this.#followForeign();
  }

  /** A gesture goes on with the pan of a scroll by the browser. */
  #takeOver() {
    clearTimeout(this.#foreign);
    this.#foreign = 0;
  }

  #begin() {
    this.#takeOver();
    const { y, minimumY, maximumY, frame } = this.#view;
    this.#origin = unbanded(y, minimumY, maximumY, frame.height);
    this.#report.pan('began');
  }

  #drag(travel) {
    const { minimumY, maximumY, frame } = this.#view;
    this.#scroll(banded(this.#origin - travel, minimumY, maximumY, frame.height));
  }

  #scroll(y) {
    if (y === this.#view.y) return;
    this.#view.moveTo(y);
    this.#report.offset();
    this.#report.pan('changed');
  }

  /** The end of a pan may cause a command of the bar, which stops the deceleration before its first frame. */
  #end(state, velocity) {
    this.#release(velocity);
    this.#report.pan(state, velocity);
  }

  #release(velocity) {
    this.#running = decelerate(this.#view, velocity, () => this.#report.offset());
  }

  #wants(direction) {
    const { y, minimumY, maximumY } = this.#view;
    return direction < 0 ? y > minimumY || this.canPull() : y < maximumY;
  }

  /** Keys and assistive technology scroll without a gesture; this is reported as a pan, too, and ends a throw. */
  #followForeign() {
    if (this.#foreign === 0) {
      this.#touch();
      this.#report.pan('began');
    }
    this.stop();
    this.#endLater();
    this.#report.offset();
    this.#report.pan('changed');
  }

  #endLater() {
    clearTimeout(this.#foreign);
    this.#foreign = setTimeout(() => {
      if (this.isHeld) return this.#endLater();
      this.#foreign = 0;
      this.#report.pan('ended', 0);
    }, QUIET);
  }
}
