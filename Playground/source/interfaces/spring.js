// Spring: a thing that goes where it is sent, and can be sent elsewhere while it is still on its way.

import { prefersStillness } from '../shared/animation.js';
import { figure, part } from '../shared/dom.js';
import { Decision } from './decision.js';

/** Between the thing and the edge of the stage. */
const EDGE = 20;

export function startSpring(card, { springs }) {
  const decision = new Decision(card);
  const stage = part(card, 'stage');
  const thing = part(card, 'thing');
  const damping = part(card, 'damping');
  const response = part(card, 'response');
  /** The motion that is under way: from where, to where, how fast, since when. */
  let motion = { start: 0, target: 0, velocity: 0, began: performance.now() };
  let isAway = false;
  let queue = Promise.resolve();

  for (const slider of [damping, response]) {
    slider.addEventListener('input', () => {
      part(card, `${slider.dataset.role}-value`).textContent = figure(Number(slider.value), 2);
    });
  }
  // One after the other: each starts from where the one before has led.
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

  /** The curve began when it was asked for, so it is joined where it is by now. */
  function run({ value, css, duration }, asked) {
    thing.getAnimations().forEach((animation) => animation.cancel());
    // Where it rests is the style sheet's, so that it stays there whatever becomes of the stage's width.
    stage.classList.toggle('is-away', isAway);
    if (prefersStillness() || css === null) return;
    const animation = thing.animate(
      [{ transform: `translateX(${value - motion.target}px)` }, { transform: 'none' }],
      { duration: duration * 1000, easing: css },
    );
    animation.currentTime = performance.now() - asked;
  }
}
