// Recognises pans of a finger, a pen or a mouse on the list, as UIKit's pan gesture recogniser.

import { VelocityTracker } from '../shared/velocity.js';

/** The distance after which a touch is a pan and no longer a tap, in points. */
const SLOP = 6;

/** Calls `on.touched()` at once, then `on.began()`, `on.changed(travel)` and `on.ended(velocity)` or `on.cancelled()`. */
export class PanGesture {
  #on;
  #pointer = null;
  #startY = 0;
  #isPanning = false;
  #velocity = null;

  constructor(element, on) {
    this.#on = on;
    element.addEventListener('pointerdown', (event) => this.#down(event));
    element.addEventListener('pointermove', (event) => this.#move(event));
    element.addEventListener('pointerup', (event) => this.#up(event));
    element.addEventListener('pointercancel', (event) => this.#cancel(event));
    // A pan must not press the button on which it ended.
    element.addEventListener('click', (event) => this.#swallow(event), { capture: true });
    // The browser's own dragging of pictures and links would capture the pointer.
    element.addEventListener('dragstart', (event) => event.preventDefault());
  }

  /** Whether a finger is down. */
  get isTouching() {
    return this.#pointer !== null;
  }

  #down(event) {
    if (event.button !== 0 || this.#pointer !== null) return;
    this.#pointer = event.pointerId;
    this.#startY = event.clientY;
    this.#isPanning = false;
    this.#velocity = new VelocityTracker();
    this.#velocity.add(event.timeStamp, event.clientY);
    this.#on.touched();
  }

  #move(event) {
    if (event.pointerId !== this.#pointer) return;
    this.#velocity.add(event.timeStamp, event.clientY);
    if (!this.#isPanning) {
      if (Math.abs(event.clientY - this.#startY) < SLOP) return;
      this.#isPanning = true;
      this.#startY = event.clientY;
      event.currentTarget.setPointerCapture(event.pointerId);
      this.#on.began();
      return;
    }
    this.#on.changed(event.clientY - this.#startY);
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
