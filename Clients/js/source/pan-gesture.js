// Recognises vertical pans of a finger, a pen or, if wanted, a mouse on the list, as UIKit's pan gesture recogniser.

import { VelocityTracker } from './velocity.js';

/** The distance after which a touch is a pan and no longer a tap, in points. */
const SLOP = 6;

/**
 * Calls `on.touched()` at once, then `on.began()`, `on.changed(travel)` and `on.ended(velocity)` or `on.cancelled()`;
 * `on.released()` without a pan. Where `on.wants(direction)` is false, the browser handles the touch: the page scrolls.
 */
export class PanGesture {
  #on;
  #pointer = null;
  #start = null;
  #isPanning = false;
  #velocity = null;

  constructor(element, on, { mouse, signal }) {
    this.#on = on;
    const listen = (name, handle, options) => element.addEventListener(name, handle, { signal, ...options });
    listen('pointerdown', (event) => (mouse || event.pointerType !== 'mouse') && this.#down(event));
    listen('pointermove', (event) => this.#move(event));
    listen('pointerup', (event) => this.#up(event));
    listen('pointercancel', (event) => this.#cancel(event));
    // Not passive: a touch that moves the list must not scroll anything else.
    listen('touchmove', (event) => this.#claim(event), { passive: false });
    // A pan must not press the button on which it ended.
    listen('click', (event) => this.#swallow(event), { capture: true });
    // The browser's own dragging of pictures and links would capture the pointer.
    if (mouse) listen('dragstart', (event) => event.preventDefault());
  }

  /** Whether a finger is down. */
  get isTouching() {
    return this.#pointer !== null;
  }

  #down(event) {
    if (event.button !== 0 || this.#pointer !== null) return;
    this.#pointer = event.pointerId;
    this.#start = { x: event.clientX, y: event.clientY };
    this.#isPanning = false;
    this.#velocity = new VelocityTracker();
    this.#velocity.add(event.timeStamp, event.clientY);
    this.#on.touched();
  }

  #move(event) {
    if (event.pointerId !== this.#pointer) return;
    this.#velocity.add(event.timeStamp, event.clientY);
    if (this.#isPanning) return this.#on.changed(event.clientY - this.#start.y);
    if (Math.abs(event.clientY - this.#start.y) < SLOP || !this.#isWanted(event)) return;
    this.#isPanning = true;
    this.#start.y = event.clientY;
    event.currentTarget.setPointerCapture(event.pointerId);
    this.#on.began();
  }

  /** Whether the pointer moves up or down, and the list can follow; nothing else follows a mouse. */
  #isWanted({ clientX, clientY, pointerType }) {
    const [x, y] = [clientX - this.#start.x, clientY - this.#start.y];
    return Math.abs(y) > Math.abs(x) && (pointerType === 'mouse' || this.#on.wants(-Math.sign(y)));
  }

  /** The first move decides: a browser that has begun to scroll does not stop. */
  #claim(event) {
    if (this.#pointer === null || !event.cancelable || event.touches.length > 1) return;
    if (this.#isPanning || this.#isWanted(event.touches[0])) event.preventDefault();
  }

  #up(event) {
    if (event.pointerId !== this.#pointer) return;
    this.#pointer = null;
    if (!this.#isPanning) return this.#on.released();
    const [velocity] = this.#velocity.velocity(event.timeStamp);
    this.#on.ended(velocity);
    // A click of this pan would follow at once; a later one is another action.
    setTimeout(() => (this.#isPanning = false));
  }

  #cancel(event) {
    if (event.pointerId !== this.#pointer) return;
    this.#pointer = null;
    if (this.#isPanning) this.#on.cancelled();
    else this.#on.released();
    this.#isPanning = false;
  }

  #swallow(event) {
    if (!this.#isPanning) return;
    event.preventDefault();
    event.stopPropagation();
  }
}
