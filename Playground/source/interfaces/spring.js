// Spring: an element that moves to a target, which can change during the motion.

import { prefersStillness } from '/client/follow.js';
import { figure, part } from '../shared/dom.js';
import { Decision } from './decision.js';

/** The distance of the element from the edge of the stage. */
const EDGE = 20;

export function startSpring(card, { springs }) {
  const decision = new Decision(card);
  const stage = part(card, 'stage');
  const thing = part(card, 'thing');
  const damping = part(card, 'damping');
  const response = part(card, 'response');
  /** The current motion: start, target, velocity and time of the start. */
  let motion = { start: 0, target: 0, velocity: 0, began: performance.now() };
  let isAway = false;
  let queue = Promise.resolve();

  for (const slider of [damping, response]) {
    slider.addEventListener('input', () => {
      part(card, `${slider.dataset.role}-value`).textContent = figure(Number(slider.value), 2);
    });
  }
  // Requests run one after the other, because each starts from the result of the one before.
  stage.addEventListener('click', () => (queue = queue.then(go)));

  async function go() {
    isAway = !isAway;
    const newTarget = isAway ? stage.clientWidth - thing.offsetWidth - 2 * EDGE : 0;
    const parameters = { dampingRatio: damping.value, response: response.value };
    const asked = performance.now();
    const time = (asked - motion.began) / 1000;
    const answer = await decision.of(springs.retarget({ ...parameters, ...motion, began: undefined, time, newTarget }));
    if (!answer) return;
    motion = { start: answer.value, target: newTarget, velocity: answer.velocity, began: asked };
    run(answer, asked);
    decision.tell(
      `from ${figure(answer.value, 0)} pt at ${figure(answer.velocity, 0)} pt/s → ${answer.stops} stops, ${figure(answer.duration, 2)} s`,
    );
  }

  /** The curve began with the request, so the animation continues at its current time. */
  function run({ value, css, duration }, asked) {
    thing.getAnimations().forEach((animation) => animation.cancel());
    // The style sheet sets the resting position, so that it stays correct if the width of the stage changes.
    stage.classList.toggle('is-away', isAway);
    if (prefersStillness() || css === null) return;
    const animation = thing.animate(
      [{ transform: `translateX(${value - motion.target}px)` }, { transform: 'none' }],
      { duration: duration * 1000, easing: css },
    );
    animation.currentTime = performance.now() - asked;
  }
}
