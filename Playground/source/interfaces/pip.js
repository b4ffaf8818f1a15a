// Picture in picture: after a throw it moves to the corner in the direction of the throw.

import { animateSpring } from '/client/follow.js';
import { figure, part } from '../shared/dom.js';
import { Decision } from './decision.js';
import { draggable } from './drag.js';
import { springOf } from './spring-of.js';

const MARGIN = 14;
const THROW = 1500;
const NAMES = ['top left', 'top right', 'bottom left', 'bottom right'];

export function startPiP(card, { gesture }) {
  const decision = new Decision(card);
  const stage = part(card, 'stage');
  const thing = part(card, 'thing');
  let center = [0, 0];
  let corner = 3;
  let origin = [0, 0];
  let animations = [];
  /** Increases with every touch and every throw; responses to earlier ones are ignored. */
  let turn = 0;

  draggable(thing, {
    start: () => {
      stop();
      origin = center;
    },
    move: ({ x, y }) => place([origin[0] + x, origin[1] + y]),
    end: ({ velocity }) => fly([Math.round(velocity.x), Math.round(velocity.y)]),
  });
  thing.addEventListener('keydown', (event) => {
    const throws = { ArrowLeft: [-THROW, 0], ArrowRight: [THROW, 0], ArrowUp: [0, -THROW], ArrowDown: [0, THROW] };
    const velocity = throws[event.key];
    if (!velocity) return;
    event.preventDefault();
    stop();
    fly(velocity);
  });
  new ResizeObserver(() => {
    stop();
    place(corners()[corner]);
  }).observe(stage);

  function corners() {
    const x = MARGIN + thing.offsetWidth / 2;
    const y = MARGIN + thing.offsetHeight / 2;
    const [right, bottom] = [stage.clientWidth - x, stage.clientHeight - y];
    return [[x, y], [right, y], [x, bottom], [right, bottom]];
  }

  async function fly(velocity) {
    const mine = (turn += 1);
    const from = center;
    const places = corners();
    const thrown = { center: from, velocity, corners: places, decelerationRate: 0.998 };
    const answer = await decision.of(gesture('pip', thrown));
    if (!answer || mine !== turn) return;
    corner = places.findIndex(([x, y]) => x === answer.corner[0] && y === answer.corner[1]);
    thing.dataset.corner = NAMES[corner];
    const [px, py] = answer.projected;
    decision.tell(`projected to ${figure(px, 0)}, ${figure(py, 0)} → ${NAMES[corner]}`);
    animations = [0, 1].map((axis) =>
      animateSpring(springOf(answer, answer.relativeVelocity[axis]), (position) => {
        const next = [...center];
        next[axis] = from[axis] + (answer.corner[axis] - from[axis]) * position;
        place(next);
      }),
    );
  }

  function stop() {
    for (const animation of animations) animation.stop();
    animations = [];
    turn += 1;
  }

  function place(value) {
    center = value;
    thing.style.transform = `translate(${value[0] - thing.offsetWidth / 2}px, ${value[1] - thing.offsetHeight / 2}px)`;
  }
}
