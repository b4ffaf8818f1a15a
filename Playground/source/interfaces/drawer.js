// Momentum drawer: follows the finger; after the release its target depends on the velocity.

import { animateSpring } from '/client/follow.js';
import { oneAtATime } from '../shared/latest.js';
import { figure, part } from '../shared/dom.js';
import { Decision } from './decision.js';
import { draggable } from './drag.js';
import { springOf } from './spring-of.js';

/** The largest relative velocity, as in the article's repository. */
const CAP = 30;
/** The height of the drawer below the stage, in points, as in the style sheet. */
const BELOW = 40;

export function startDrawer(card, { gesture }) {
  const decision = new Decision(card);
  const drawer = part(card, 'drawer');
  const handle = part(card, 'handle');
  let isOpen = false;
  /** The fraction of the way to the other state, from 0 to 1. */
  let fraction = 0;
  /** The target of the fraction: 1 changes the state, 0 keeps it. */
  let heading = 0;
  /** The fraction at the start of the touch. */
  let grabbed = 0;
  let animation = null;
  let isHeld = false;
  let wasDragged = false;
  /** Increases with every touch and every request; responses to earlier requests are ignored. */
  let turn = 0;

  /** The drawer extends below the stage, so that a bounce shows no gap; its handle stays visible above the edge. */
  const way = () => drawer.offsetHeight - BELOW - handle.offsetHeight;
  const follow = oneAtATime(async (translationY) => {
    const drag = { translationY, closedTranslationY: way(), progress: grabbed, isOpen, isReversed: false };
    const answer = await decision.of(gesture('drawer', drag));
    if (!answer || !isHeld) return;
    place(Math.min(1.08, Math.max(-0.08, answer.fraction)));
    decision.tell(`dragged ${figure(translationY, 0)} pt → ${figure(answer.fraction * 100, 0)} % of the way`);
  });

  draggable(handle, {
    start: () => {
      animation?.stop();
      turn += 1;
      grabbed = fraction;
      isHeld = true;
    },
    move: ({ y, isTap }) => {
      if (isTap) return;
      // The drawer follows in the same frame; the service confirms the fraction.
      place(Math.min(1.08, Math.max(-0.08, grabbed + (isOpen ? y : -y) / way())));
      follow(Math.round(y));
    },
    end: ({ velocity, isTap }, event) => {
      isHeld = false;
      wasDragged = !isTap;
      if (wasDragged || event.type === 'pointercancel') letGo(Math.round(velocity.y), false);
    },
  });
  // A tap, a key or a screen reader requests the other state; during the animation, it requests the previous one.
  handle.addEventListener('click', (event) => {
    if (event.detail !== 0 && wasDragged) return;
    animation?.stop();
    letGo(0, heading === 1);
  });

  async function letGo(velocityY, isReversed) {
    const mine = (turn += 1);
    const release = {
      velocityY,
      fractionComplete: Math.min(1, Math.max(0, fraction)),
      closedTranslationY: way(),
      isOpen,
      isReversed,
      cap: CAP,
    };
    const answer = await decision.of(gesture('drawer', release));
    if (!answer || mine !== turn) return;
    const start = fraction;
    heading = answer.reversed ? 0 : 1;
    decision.tell(
      `${figure(velocityY, 0)} pt/s → ${answer.action}, ${answer.reversed ? 'stays' : 'turns'} ${isOpen !== answer.reversed ? 'closed' : 'open'}`,
    );
    const run = answer.spring ? springOf(answer, speed(answer, start)) : { dampingRatio: 1, response: 0.4 };
    animation = animateSpring(run, (position) => place(start + (heading - start) * position));
    if (await animation.finished) arrive();
  }

  /** The relative velocity refers to the remaining distance, which is the travelled one after a change of direction. */
  function speed({ reversed, relativeVelocity }, start) {
    return reversed ? Math.min(CAP, (relativeVelocity * (1 - start)) / Math.max(start, 0.01)) : relativeVelocity;
  }

  function arrive() {
    if (heading === 1) isOpen = !isOpen;
    heading = 0;
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
