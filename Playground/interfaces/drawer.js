// Momentum drawer: follows the finger, and where it goes on release depends on the way it is thrown.

import { oneAtATime } from '../api/latest.js';
import { figure, part } from '../dom.js';
import { animateSpring } from '../motion/animation.js';
import { Decision } from './decision.js';
import { draggable } from './drag.js';
import { springOf } from './spring-of.js';

export function startDrawer(card, { gestures }) {
  const decision = new Decision(card);
  const drawer = part(card, 'drawer');
  const handle = part(card, 'handle');
  let isOpen = false;
  /** How much of the way to the other state is done, 0 to 1. */
  let fraction = 0;
  let animation = null;
  let isHeld = false;

  const way = () => drawer.offsetHeight - handle.offsetHeight;
  const follow = oneAtATime(async (translationY) => {
    const drag = { translationY, closedTranslationY: way(), progress: 0, isOpen, isReversed: false };
    const answer = await decision.of(gestures.drawerFraction(drag));
    if (!answer || !isHeld) return;
    place(Math.min(1.08, Math.max(-0.08, answer.fraction)));
    decision.tell(`dragged ${figure(translationY, 0)} pt → ${figure(answer.fraction * 100, 0)} % of the way`);
  });

  draggable(handle, {
    start: () => {
      animation?.stop();
      isHeld = true;
    },
    move: ({ y }) => follow(Math.round(y)),
    end: ({ velocity, isTap }) => {
      isHeld = false;
      if (!isTap) throwDrawer(Math.round(velocity.y));
    },
  });
  // A tap of a finger, of a key, of a screen reader: all of them ask for the other state.
  handle.addEventListener('click', () => {
    if (fraction < 0.05) throwDrawer(isOpen ? 1 : -1);
  });

  async function throwDrawer(velocityY) {
    const release = {
      velocityY,
      fractionComplete: Math.min(1, Math.max(0, fraction)),
      closedTranslationY: way(),
      isOpen,
      isReversed: false,
      cap: 30,
    };
    const answer = await decision.of(gestures.drawerEnd(release));
    if (!answer || isHeld) return;
    const start = fraction;
    const end = answer.reversed ? 0 : 1;
    decision.tell(
      `${figure(velocityY, 0)} pt/s → ${answer.action}, ${answer.reversed ? 'stays' : 'turns'} ${isOpen !== answer.reversed ? 'closed' : 'open'}`,
    );
    const run = answer.spring ? springOf(answer, answer.relativeVelocity) : { dampingRatio: 1, response: 0.4 };
    animation = animateSpring(run, (position) => place(start + (end - start) * position));
    if ((await animation.finished) && !answer.reversed) arrive();
  }

  function arrive() {
    isOpen = !isOpen;
    handle.setAttribute('aria-expanded', String(isOpen));
    part(card, 'drawer-text').inert = !isOpen;
    place(0);
  }

  function place(value) {
    fraction = value;
    const open = isOpen ? 1 - value : value;
    drawer.style.transform = `translateY(${(1 - open) * way()}px)`;
    card.style.setProperty('--open', String(Math.min(1, Math.max(0, open))));
  }

  part(card, 'drawer-text').inert = true;
  place(0);
  new ResizeObserver(() => place(fraction)).observe(drawer);
}
