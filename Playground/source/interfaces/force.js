// Force button: a firm press activates it, and the release of pressure switches it. Without pressure, the time counts.

import { animateSpring } from '/client/follow.js';
import { oneAtATime } from '../shared/latest.js';
import { figure, part } from '../shared/dom.js';
import { Decision } from './decision.js';
import { springOf } from './spring-of.js';

/** The time of holding that counts as full force, in seconds. */
const FULL = 0.8;
/** The largest number of events of a press that are sent; later ones have no effect. */
const MOST_EVENTS = 1000;
/** Values of devices that do not measure pressure: 0.5 by the standard, 1 in some browsers. */
const UNMEASURED = [0, 0.5, 1];

export function startForce(card, { gesture }) {
  const decision = new Decision(card);
  const button = part(card, 'button');
  /** The presses of a request: one, or several if they are faster than the responses. */
  let press = { on: false, events: [] };
  let isAnswered = true;
  let began = 0;
  let isMeasured = false;
  let pressure = null;
  let distance = 0;
  let frame = 0;
  let scale = 1;
  let isOn = false;
  let animation = null;

  const ask = oneAtATime(async (asked) => {
    const answer = await decision.of(gesture('force-button', asked));
    isAnswered = asked.events.length === press.events.length;
    if (answer) take(answer, asked.events.at(-1));
  });

  button.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    button.setPointerCapture(event.pointerId);
    isMeasured = false;
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
    isMeasured = false;
    pressure = null;
    distance = 0;
    begin();
  });
  button.addEventListener('keyup', (event) => {
    if (![' ', 'Enter'].includes(event.key)) return;
    // In some browsers a prevented keydown does not prevent the click.
    event.preventDefault();
    finish('end');
  });
  // A press of a screen reader has no duration, so it counts as firm enough.
  button.addEventListener('click', (event) => {
    if (event.detail !== 0 || event.pointerType) return;
    add({ type: 'begin', force: 0.6, distance: 0 });
    add({ type: 'end', force: 0, distance: 0 });
    send();
  });

  /** A pen measures pressure; a touch screen does if it reports another value than the defaults. */
  function feel(event) {
    isMeasured ||= event.pointerType === 'pen' || (event.pointerType === 'touch' && !UNMEASURED.includes(event.pressure));
    pressure = isMeasured ? event.pressure : null;
    const box = button.getBoundingClientRect();
    distance = Math.hypot(event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2) / scale;
  }

  function begin() {
    animation?.stop();
    began = performance.now();
    add({ type: 'begin', force: pressure ?? 0, distance });
    frame = requestAnimationFrame(hold);
  }

  function add(event) {
    if (event.type === 'begin' && isAnswered) press = { on: isOn, events: [] };
    isAnswered = false;
    press.events.push(event);
  }

  function send() {
    ask({ on: press.on, events: [...press.events] });
  }

  function hold(now) {
    // The time of a frame may be slightly earlier than that of the press before it.
    const force = pressure ?? Math.min(1, Math.max(0, (now - began) / 1000 / FULL));
    const last = press.events.at(-1);
    const hasChanged = Math.abs(force - last.force) > 0.015 || Math.abs(distance - last.distance) > 2;
    if (hasChanged && press.events.length < MOST_EVENTS) {
      add({ type: 'move', force: Number(force.toFixed(3)), distance });
      send();
    }
    frame = requestAnimationFrame(hold);
  }

  function finish(type) {
    if (frame === 0) return;
    cancelAnimationFrame(frame);
    frame = 0;
    add({ type, force: 0, distance });
    send();
  }

  function take({ steps, haptics, ...answer }, { type, force }) {
    const step = steps.at(-1);
    isOn = step.on;
    card.classList.toggle('is-on', isOn);
    card.style.setProperty('--force', String(force));
    button.style.setProperty('--whiteness', String(step.whiteness));
    button.setAttribute('aria-pressed', String(isOn));
    const source = isMeasured ? 'pressure' : 'force';
    decision.tell(`${source} ${figure(force, 2)} → ${step.state}${haptics.length ? `, haptics ${haptics.join(' ')}` : ''}`);
    const isOver = ['end', 'cancel'].includes(type);
    if (!isOver) return grow(step.scale);
    // The next press may have begun before the response to this one.
    if (frame !== 0) return;
    const from = scale;
    animation?.stop();
    // After a very light touch the size is unchanged, so there is no spring.
    if (!answer.spring) return grow(step.scale);
    animation = animateSpring(springOf(answer, 0), (position) => grow(from + (1 - from) * position));
  }

  function grow(value) {
    scale = value;
    button.style.transform = `scale(${value})`;
  }
}
