// Rubberbanding: the element follows a pull less and less, and returns by a spring.

import { animateSpring, unbanded } from '/client/follow.js';
import { rubberband } from '/client/springbar.js';
import { oneAtATime } from '../shared/latest.js';
import { figure, part } from '../shared/dom.js';
import { Decision } from './decision.js';
import { draggable } from './drag.js';
import { springOf } from './spring-of.js';

/** The article's spring for the return. */
const BACK = { dampingRatio: 0.6, response: 0.3 };
const STEP = 30;
const EXPONENT = 0.7;
const DIMENSION = 300;

export function startRubberband(card, { springs }) {
  const decision = new Decision(card);
  const thing = part(card, 'thing');
  const band = part(card, 'band');
  const model = part(card, 'model');
  let offset = 0;
  /** The pull at the start of the touch: 0, or more if the element was still returning. */
  let origin = 0;
  let shown = 0;
  let animation = null;
  let isHeld = false;

  const ask = oneAtATime(async (pulled) => {
    const parameters = model.value === 'apple' ? { dimension: DIMENSION, constant: 0.55 } : { exponent: EXPONENT };
    const answer = await decision.of(springs.rubberband({ model: model.value, offset: pulled, ...parameters }));
    if (!answer || !isHeld) return;
    place(answer.value);
    decision.tell(`pulled ${figure(pulled, 0)} pt → moves ${figure(answer.value, 1)} pt`);
  });

  draggable(thing, {
    start: () => hold(),
    move: ({ y }) => pull(origin + y),
    end: ({ velocity }) => release(velocity.y),
  });
  thing.addEventListener('keydown', (event) => {
    const direction = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!direction) return;
    event.preventDefault();
    if (!isHeld) hold();
    pull(offset + direction * STEP);
  });
  thing.addEventListener('keyup', () => isHeld && release(0));
  thing.addEventListener('blur', () => isHeld && release(0));

  function hold() {
    animation?.stop();
    isHeld = true;
    origin = reach(shown);
    offset = origin;
  }

  /** Returns the pull for a position `y` of the element. */
  function reach(y) {
    if (model.value === 'power') return Math.sign(y) * Math.abs(y) ** (1 / EXPONENT);
    return y < 0 ? unbanded(y, 0, 0, DIMENSION) : -unbanded(-y, 0, 0, DIMENSION);
  }

  /** The element follows in the same frame; the service confirms its position. */
  function pull(distance) {
    offset = Math.round(distance);
    const far = Math.abs(offset);
    const way = model.value === 'power' ? far ** EXPONENT : rubberband(far, { dimension: DIMENSION, constant: 0.55 });
    place(Math.sign(offset) * way);
    ask(offset);
  }

  async function release(velocity) {
    isHeld = false;
    const start = shown;
    // The velocity of the element, which is smaller than that of the finger by the same factor as its distance.
    const slowed = offset === 0 ? 0 : (velocity * shown) / offset;
    const answer = await decision.of(
      springs.retarget({ ...BACK, start, target: start, velocity: Math.round(slowed), time: 0, newTarget: 0 }),
    );
    if (!answer || isHeld) return;
    animation?.stop();
    animation = animateSpring(springOf(answer, answer.initialVelocity), (position) => place(start * (1 - position)));
    decision.tell(`let go at ${figure(start, 1)} pt → settles in ${figure(answer.settling.settlingTime, 2)} s`);
  }

  function place(y) {
    shown = y;
    thing.style.transform = `translateY(${y}px)`;
    band.style.setProperty('--stretch', String(y));
  }
}
