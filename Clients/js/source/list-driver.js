// Converts every movement of the list to events of the bar's session: content offsets, and the pan around them.

import { animateSpring } from './animation.js';
import { decelerate } from './deceleration.js';
import { PanGesture } from './pan-gesture.js';
import { banded, unbanded } from './rubber-band.js';
import { WheelGesture } from './wheel-gesture.js';

/** Milliseconds without a scroll after which a scroll by keys or assistive technology has ended. */
const QUIET = 140;
const KEYS = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' ']);
const FIELDS = 'input, textarea, select';
/** What a space activates, so that nothing scrolls. */
const BUTTONS = 'button, summary, [role=button]';
/** The spring of the bar's release in a projected snap. */
const RELEASE = { dampingRatio: 1, response: 0.4 };

/**
 * Moves `view` and reports to `report.offset()`, `report.pan(state, velocity)` and `report.touched()`, which returns
 * whether it has stopped an animation.
 */
export class ListDriver {
  #view;
  #report;
  #pan;
  #wheel;
  /** The pull at the beginning of a pan, and the drift of the list then. */
  #origin = 0;
  #drift = 0;
  #running = null;
  #foreign = 0;
  /** The direction of the last scroll by the browser. */
  #direction = 0;
  /** Whether a pull at the top can have an effect, which depends on the bar. */
  canPull = () => true;
  /** The distance to the offset at which the bar reaches its next state in a direction; 0 if it is at one. */
  distanceToState = () => 0;

  /** With `mouse`, a mouse drags the list, too; `signal` ends the observation. */
  constructor(view, report, { mouse, signal }) {
    this.#view = view;
    this.#report = report;
    const settings = { mouse, signal };
    const wants = (direction) => this.#wants(direction);
    const pan = {
      wants,
      touched: () => {
        const wasMoving = Boolean(this.#running?.isRunning);
        const { wasAnimated } = this.#touch();
        view.refresh();
        return wasAnimated || wasMoving;
      },
      released: (hasStopped) => (hasStopped ? this.#releaseStopped() : this.#release(0)),
      began: () => this.#begin(),
      changed: (travel) => this.#drag(travel / view.scale),
      ended: (velocity) => this.#end('ended', -velocity / view.scale),
      cancelled: () => this.#end('cancelled', 0),
    };
    const wheel = {
      wants,
      began: () => {
        this.#touch();
        view.refresh();
        this.#takeOver();
        this.#report.pan('began');
      },
      moved: (distance) => this.#scroll(this.#view.clamped(this.#view.y + distance)),
      ended: () => this.#report.pan('ended', 0),
    };
    this.#pan = new PanGesture(view.element, pan, settings);
    this.#wheel = new WheelGesture(view.element, wheel, settings);
    view.onForeignScroll = (distance) => this.#followForeign(Math.sign(distance));
    view.target.addEventListener('keydown', (event) => this.#press(event), { signal });
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

  /** Stops all movements, and tells which there were. The pan of a wheel ends later, unless another one follows. */
  #touch() {
    // An element that was moved to another place in the page has lost its offset.
    this.#view.readBack();
    const { isMoving } = this;
    if (this.#wheel.isRunning) this.#endLater();
    this.stop();
    const wasAnimated = this.#report.touched();
    return { isMoving, wasAnimated };
  }

  /**
   * A key ends any movement, and then the browser scrolls the list; if it does not, the bar still comes to rest. A key
   * that is typed in a field, or handled by the page, scrolls nothing.
   */
  #press(event) {
    const [target] = event.composedPath();
    if (!KEYS.has(event.key) || event.defaultPrevented || target.isContentEditable || target.matches?.(FIELDS)) return;
    if (event.key === ' ' && target.closest?.(BUTTONS)) return;
    const { isMoving, wasAnimated } = this.#touch();
    if (isMoving || wasAnimated) this.#followForeign(0);
  }

  /** A gesture goes on with the pan of a scroll by the browser. */
  #takeOver() {
    clearTimeout(this.#foreign);
    this.#foreign = 0;
    this.#view.isGliding = false;
  }

  #begin() {
    this.#takeOver();
    const { y, minimumY, maximumY, frame } = this.#view;
    this.#origin = unbanded(y, minimumY, maximumY, frame.height);
    this.#drift = this.#view.drift;
    this.#report.pan('began');
  }

  #drag(travel) {
    const { minimumY, maximumY, frame, drift } = this.#view;
    this.#scroll(banded(this.#origin + drift - this.#drift - travel, minimumY, maximumY, frame.height));
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

  /** A tap that has stopped a movement leaves the list there; the bar comes to rest. */
  #releaseStopped() {
    this.#begin();
    this.#end('ended', 0);
  }

  #wants(direction) {
    if (this.#view.hasNoGestures) return false;
    const { y, minimumY, maximumY } = this.#view;
    return direction < 0 ? y > minimumY || this.canPull() : y < maximumY;
  }

  /** Keys and assistive technology scroll without a gesture; this is reported as a pan, too, and ends a throw. */
  #followForeign(direction) {
    this.#view.isGliding = true;
    if (this.#foreign === 0) {
      this.#touch();
      this.#direction = 0;
      this.#report.pan('began');
      // A pan may open the bar from 5 points below its beginning on, which moves the content under the bar.
      this.#report.pan('changed');
    }
    this.stop();
    this.#direction = direction || this.#direction;
    this.#endLater();
    this.#report.offset();
    this.#report.pan('changed');
  }

  #endLater() {
    clearTimeout(this.#foreign);
    this.#foreign = setTimeout(() => {
      if (this.isHeld) return this.#endLater();
      this.#foreign = 0;
      this.#view.isGliding = false;
      this.#complete();
    }, QUIET);
  }

  /**
   * Ends the pan of a scroll by the browser. A bar between two states goes on in the direction of the scroll: a short
   * scroll, such as that of an arrow key, would otherwise be undone by the snap.
   */
  #complete() {
    const view = this.#view;
    const { y, drift } = view;
    const target = view.clamped(y + this.distanceToState(this.#direction));
    this.#direction = 0;
    if (Math.abs(target - y) < 1) return this.#report.pan('ended', 0);
    const spring = (this.#running = animateSpring(RELEASE, (position) => {
      view.moveTo(target - (target - y) * (1 - position) + view.drift - drift);
      this.#report.offset();
      this.#report.pan('changed');
    }));
    spring.finished.then((hasArrived) => hasArrived && this.#report.pan('ended', 0));
  }
}
