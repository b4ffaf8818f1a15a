// Follows one pointer on one element: its translation, and its velocity at the release.

import { VelocityTracker } from '/client/follow.js';

/** Calls `on.start(event)`, `on.move({ x, y, velocity }, event)` and `on.end({ x, y, velocity, isTap }, event)`. */
export function draggable(thing, on) {
  let pointer = null;
  let origin = null;
  let tracker = null;
  let farthest = 0;

  const travel = (event) => {
    const [vx, vy] = tracker.velocity(event.timeStamp);
    const x = event.clientX - origin.x;
    const y = event.clientY - origin.y;
    farthest = Math.max(farthest, Math.hypot(x, y));
    return { x, y, velocity: { x: vx ?? 0, y: vy ?? 0 }, isTap: farthest < 4 };
  };
  const finish = (event) => {
    if (event.pointerId !== pointer) return;
    pointer = null;
    thing.classList.remove('is-held');
    on.end(travel(event), event);
  };

  thing.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || pointer !== null) return;
    pointer = event.pointerId;
    origin = { x: event.clientX, y: event.clientY };
    tracker = new VelocityTracker();
    tracker.add(event.timeStamp, event.clientX, event.clientY);
    farthest = 0;
    thing.setPointerCapture(pointer);
    thing.classList.add('is-held');
    on.start?.(event);
  });
  thing.addEventListener('pointermove', (event) => {
    if (event.pointerId !== pointer) return;
    tracker.add(event.timeStamp, event.clientX, event.clientY);
    on.move(travel(event), event);
  });
  thing.addEventListener('pointerup', finish);
  thing.addEventListener('pointercancel', finish);
}
