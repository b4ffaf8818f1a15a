// Recognises vertical pans of a finger, a pen or, if wanted, a mouse on the list, as UIKit's pan gesture recogniser.

import { isTakenWithin } from './nested-scrollers.js';
import { VelocityTracker } from './velocity.js';

/** The distance after which a touch is a pan and no longer a tap, in points. */
const SLOP = 6;
/** What a mouse marks, moves or chooses in. A finger scrolls there. */
const FIELDS = 'input, textarea, select, [contenteditable]';

/**
 * Calls `on.touched()` at once, which returns whether it has stopped a movement; then `on.began()`, `on.changed(travel)`
 * and `on.ended(velocity)` or `on.cancelled()`; `on.released(hasStopped)` without a pan. Where `on.wants(direction)` is false, the browser handles the touch: the page scrolls.
 */
export class PanGesture {
  #element;
  #on;
  #pointer = null;
  /** The targets of the touch, from the innermost one on. */
  #path = [];
  #start = null;
  #isPanning = false;
  /** Whether the touch has stopped a movement. */
  #hasStopped = false;
  #velocity = null;

  constructor(element, on, { mouse, signal }) {
    this.#element = element;
    this.#on = on;
    const listen = (name, handle, options) => element.addEventListener(name, handle, { signal, ...options });
    listen('pointerdown', (event) => (mouse || event.pointerType !== 'mouse') && this.#down(event));
    listen('pointermove', (event) => this.#move(event));
    // Everywhere, because a mouse that moves sideways is not captured and may be released outside.
    addEventListener('pointerup', (event) => this.#up(event), { signal, capture: true });
    addEventListener('pointercancel', (event) => this.#cancel(event), { signal, capture: true });
    // Not passive: a touch that moves the list must not scroll anything else.
    listen('touchmove', (event) => this.#claim(event), { passive: false });
    // A pan must not press the button on which it ended, and neither must a tap that stops a movement.
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
    this.#path = event.composedPath();
    this.#hasStopped = this.#on.touched();
  }

  #move(event) {
    if (event.pointerId !== this.#pointer) return;
    // It was released where this page does not see it, such as in a frame.
    if (event.pointerType === 'mouse' && event.buttons === 0) return this.#cancel(event);
    this.#velocity.add(event.timeStamp, event.clientY);
    if (this.#isPanning) return this.#on.changed(event.clientY - this.#start.y);
    if (Math.abs(event.clientY - this.#start.y) < SLOP || !this.#isWanted(event)) return;
    this.#isPanning = true;
    this.#start.y = event.clientY;
    this.#element.setPointerCapture(event.pointerId);
    this.#on.began();
  }

  /** Whether the pointer moves up or down, and the list can follow; nothing else follows a mouse. */
  #isWanted({ clientX, clientY, pointerType }) {
    const [x, y] = [clientX - this.#start.x, clientY - this.#start.y];
    if (Math.abs(y) <= Math.abs(x)) return false;
    const direction = -Math.sign(y);
    const within = this.#path.slice(0, this.#path.indexOf(this.#element));
    if (pointerType === 'mouse') return !within.some((target) => target.matches?.(FIELDS));
    return this.#on.wants(direction) && !isTakenWithin(this.#element, this.#path, direction, true);
  }

  /** The first move decides: a browser that has begun to scroll does not stop. */
  #claim(event) {
    if (this.#pointer === null || !event.cancelable || event.defaultPrevented || event.touches.length > 1) return;
    if (this.#isPanning || this.#isWanted(event.touches[0])) event.preventDefault();
  }

  #up(event) {
    if (event.pointerId !== this.#pointer) return;
    this.#pointer = null;
    // A click of this pan would follow at once; a later one is another action.
    setTimeout(() => (this.#isPanning = this.#hasStopped = false));
    if (!this.#isPanning) return this.#on.released(this.#hasStopped);
    const [velocity] = this.#velocity.velocity(event.timeStamp);
    this.#on.ended(velocity);
  }

  #cancel(event) {
    if (event.pointerId !== this.#pointer) return;
    this.#pointer = null;
    if (this.#isPanning) this.#on.cancelled();
    else this.#on.released(this.#hasStopped);
    this.#isPanning = this.#hasStopped = false;
  }

  #swallow(event) {
    if (!this.#isPanning && !this.#hasStopped) return;
    event.preventDefault();
    event.stopPropagation();
  }
}
