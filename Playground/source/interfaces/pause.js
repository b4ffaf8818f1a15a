// Acceleration pause: detects a finger that stops abruptly, without a timer.

import { animateSpring } from '/client/follow.js';
import { oneAtATime } from '../shared/latest.js';
import { figure, part } from '../shared/dom.js';
import { Decision } from './decision.js';
import { draggable } from './drag.js';
import { springOf } from './spring-of.js';

const RETURN = { dampingRatio: 0.8, response: 0.3 };
const LIMIT = 190;
/** The largest number of samples that are sent; a longer drag has already paused. */
const MOST = 1000;
/** A recorded drag: fast, then suddenly slow. */
const RECORDED = [
  [-1000, -100], [-900, -120], [-800, -140], [-700, -152], [-500, -160], [-300, -166], [-100, -168], [-50, -169], [-20, -169],
];

export function startPause(card, { gesture, springs }) {
  const decision = new Decision(card);
  const thing = part(card, 'thing');
  let samples = [];
  let shown = 0;
  /** The position at the start of the touch. */
  let origin = 0;
  let animation = null;
  /** Increases with every drag; responses of earlier drags are ignored. */
  let drag = 0;

  const ask = oneAtATime(async (asked) => {
    const answer = await decision.of(gesture('pause', { mode: 'repo', samples: asked }));
    if (!answer || asked[0] !== samples[0]) return;
    const at = answer.fired.indexOf(true);
    card.classList.toggle('is-paused', at >= 0);
    decision.tell(
      at < 0 ? `${asked.length} samples → no pause` : `${asked.length} samples → paused at sample ${at + 1}`,
    );
  });

  draggable(thing, {
    start: () => begin(),
    move: ({ y, velocity }) => sample(velocity.y, origin + y),
    end: () => release(),
  });
  part(card, 'replay').addEventListener('click', replay);

  function begin() {
    animation?.stop();
    drag += 1;
    origin = shown;
    samples = [];
    card.classList.remove('is-paused');
  }

  function sample(velocity, y) {
    const offset = Math.max(-LIMIT, Math.min(20, y));
    place(offset);
    if (samples.length === MOST) return;
    samples.push({ velocity: Math.round(velocity), offset });
    ask([...samples]);
  }

  /** The same without a drag. */
  async function replay() {
    begin();
    const mine = drag;
    for (const [velocity, offset] of RECORDED) {
      if (mine !== drag) return;
      sample(velocity, offset);
      await wait(50);
    }
    await wait(900);
    if (mine === drag) release();
  }

  async function release() {
    const mine = drag;
    const start = shown;
    const answer = await decision.of(
      springs.retarget({ ...RETURN, start, target: start, velocity: 0, time: 0, newTarget: 0 }),
    );
    if (!answer || mine !== drag) return;
    animation = animateSpring(springOf(answer, answer.initialVelocity), (position) => place(start * (1 - position)));
    if (!(await animation.finished)) return;
    samples = [];
    card.classList.remove('is-paused');
  }

  function place(y) {
    shown = y;
    thing.style.transform = `translateY(${y}px)`;
    card.style.setProperty('--lift', String(Math.min(1, Math.max(0, -y / LIMIT))));
    part(card, 'offset').textContent = figure(y, 0);
  }
}

function wait(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
