// Rotation: after the release it comes to rest at the quarter turn nearest to its projected angle.

import { animateSpring, VelocityTracker } from '/client/follow.js';
import { figure, part } from '../shared/dom.js';
import { Decision } from './decision.js';
import { springOf } from './spring-of.js';

const KEY_SPEED = 12;

export function startRotation(card, { gesture }) {
  const decision = new Decision(card);
  const thing = part(card, 'thing');
  /** Radians, clockwise. */
  let angle = 0;
  let original = 0;
  let grip = null;
  let animation = null;
  /** Increases with every touch and every release; responses to earlier ones are ignored. */
  let turn = 0;
  const pointers = new Map();
  let tracker = null;

  thing.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    thing.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, event);
    if (pointers.size === 1) begin(event);
    grip = bearing() - angle;
  });
  thing.addEventListener('pointermove', (event) => {
    if (!pointers.has(event.pointerId)) return;
    pointers.set(event.pointerId, event);
    // Returns the nearest of the equivalent angles, so that passing the half turn causes no full turn.
    const next = bearing() - grip;
    place(next + 2 * Math.PI * Math.round((angle - next) / (2 * Math.PI)));
    tracker.add(event.timeStamp, angle);
  });
  for (const type of ['pointerup', 'pointercancel']) {
    thing.addEventListener(type, (event) => {
      if (!pointers.delete(event.pointerId)) return;
      if (pointers.size > 0) grip = bearing() - angle;
      else release(tracker.velocity(event.timeStamp)[0]);
    });
  }
  thing.addEventListener('keydown', (event) => {
    const direction = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!direction) return;
    event.preventDefault();
    stop();
    release(direction * KEY_SPEED);
  });

  function stop() {
    animation?.stop();
    turn += 1;
    original = nearestQuarter();
  }

  function begin(event) {
    stop();
    tracker = new VelocityTracker();
    tracker.add(event.timeStamp, angle);
  }

  /** One finger rotates around the centre, two fingers around each other. */
  function bearing() {
    const [one, two] = [...pointers.values()];
    if (two) return Math.atan2(two.clientY - one.clientY, two.clientX - one.clientX);
    const box = card.querySelector('.stage').getBoundingClientRect();
    return Math.atan2(one.clientY - box.top - box.height / 2, one.clientX - box.left - box.width / 2);
  }

  async function release(velocity) {
    const mine = turn;
    const start = angle;
    const turned = { rotation: start - original, velocity, decelerationRate: 0.99, clamp: true };
    const answer = await decision.of(gesture('rotation', turned));
    if (!answer || mine !== turn) return;
    const end = original + answer.angle;
    decision.tell(`${degrees(turned.rotation)} at ${degrees(velocity)}/s → ${degrees(answer.angle)}`);
    animation = animateSpring(
      springOf(answer, answer.relativeVelocity),
      (position) => place(start + (end - start) * position),
    );
  }

  function nearestQuarter() {
    return Math.round(angle / (Math.PI / 2)) * (Math.PI / 2);
  }

  function place(value) {
    angle = value;
    thing.style.transform = `rotate(${value}rad)`;
    thing.setAttribute('aria-valuenow', String(Math.round((value * 180) / Math.PI)));
  }
}

function degrees(radians) {
  return `${figure((radians * 180) / Math.PI, 0)}°`;
}
