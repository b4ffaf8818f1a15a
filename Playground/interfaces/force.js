// Force button: press into it until it gives; it switches when the pressure goes. Where no pressure can be felt, time is it.

import { animateSpring } from '../motion/animation.js';
import { oneAtATime } from '../api/latest.js';
import { figure, part } from '../dom.js';
import { Decision } from './decision.js';
import { springOf } from './spring-of.js';

/** Seconds of holding that count as the full force. */
const FULL = 0.8;

export function startForce(card, { gestures }) {
  const decision = new Decision(card);
  const button = part(card, 'button');
  let events = [];
  let began = 0;
  let pressure = null;
  let distance = 0;
  let frame = 0;
  let scale = 1;
  let isOn = false;
  let wasOn = false;
  let animation = null;

  const ask = oneAtATime(async (asked) => {
    const answer = await decision.of(gestures.forceButton(asked));
    if (answer) take(answer, asked);
  });

  button.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    button.setPointerCapture(event.pointerId);
    feel(event);
    begin();
  });
  button.addEventListener('pointermove', (event) => {
    if (frame !== 0) feel(event);
  });
  button.addEventListener('pointerup', () => finish('end'));
  button.addEventListener('pointercancel', () => finish('cancel'));
  button.addEventListener('keydown', (event) => {
    if (![' ', 'Enter'].includes(event.key)) return;
    event.preventDefault();
    if (event.repeat || frame !== 0) return;
    pressure = null;
    distance = 0;
    begin();
  });
  button.addEventListener('keyup', (event) => [' ', 'Enter'].includes(event.key) && finish('end'));
  // A screen reader's press has no length: it is one that was firm enough.
  button.addEventListener('click', (event) => {
    if (event.detail !== 0 || event.pointerType) return;
    wasOn = isOn;
    ask([{ type: 'begin', force: 0.6, distance: 0 }, { type: 'end', force: 0, distance: 0 }]);
  });

  /** A mouse says 0.5 for every press, which is no measurement; pens and some screens do measure. */
  function feel(event) {
    pressure = event.pointerType !== 'mouse' && event.pressure > 0 && event.pressure !== 0.5 ? event.pressure : null;
    const box = button.getBoundingClientRect();
    distance = Math.hypot(event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2) / scale;
  }

  function begin() {
    animation?.stop();
    wasOn = isOn;
    began = performance.now();
    events = [{ type: 'begin', force: pressure ?? 0, distance }];
    frame = requestAnimationFrame(hold);
  }

  function hold(now) {
    // A frame's time may be a little earlier than the press that asked for it.
    const force = pressure ?? Math.min(1, Math.max(0, (now - began) / 1000 / FULL));
    const last = events.at(-1);
    if (Math.abs(force - last.force) > 0.015 || Math.abs(distance - last.distance) > 2) {
      events.push({ type: 'move', force: Number(force.toFixed(3)), distance });
      ask([...events]);
    }
    frame = requestAnimationFrame(hold);
  }

  function finish(type) {
    if (frame === 0) return;
    cancelAnimationFrame(frame);
    frame = 0;
    events.push({ type, force: 0, distance });
    ask([...events]);
  }

  function take({ steps, haptics, ...answer }, asked) {
    const step = steps.at(-1);
    // The service is told of one press at a time, each as if it began switched off.
    isOn = wasOn !== step.on;
    card.classList.toggle('is-on', isOn);
    button.setAttribute('aria-pressed', String(isOn));
    decision.tell(`force ${figure(asked.at(-1).force, 2)} → ${step.state}${haptics.length ? `, haptics ${haptics.join(' ')}` : ''}`);
    const isOver = ['end', 'cancel'].includes(asked.at(-1).type);
    if (!isOver) return grow(step.scale);
    const from = scale;
    animation = animateSpring(springOf(answer, 0), (position) => grow(from + (1 - from) * position));
  }

  function grow(value) {
    scale = value;
    button.style.transform = `scale(${value})`;
  }
}
