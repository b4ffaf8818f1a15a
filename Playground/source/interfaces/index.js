// The eight interfaces. The service makes the decisions of each, and its response has the spring of the movement.

import { element } from '../shared/dom.js';
import { exchangeLine } from '../shared/exchange-line.js';
import { startCalculator } from './calculator.js';
import { startDrawer } from './drawer.js';
import { startForce } from './force.js';
import { startPause } from './pause.js';
import { startPiP } from './pip.js';
import { startRotation } from './rotation.js';
import { startRubberband } from './rubberband.js';
import { startSpring } from './spring.js';

const parts = {
  calculator: startCalculator,
  spring: startSpring,
  force: startForce,
  rubberband: startRubberband,
  pause: startPause,
  drawer: startDrawer,
  pip: startPiP,
  rotation: startRotation,
};

/** The requests of each card, by the end of their path. */
const paths = {
  calculator: 'calculator-button',
  spring: 'springs/retarget',
  force: 'force-button',
  rubberband: 'rubberband',
  pause: 'pause',
  drawer: 'drawer',
  pip: 'pip',
  rotation: 'rotation',
};

export function startInterfaces(root, springbar, exchanges) {
  const service = { springs: springbar.springs, gesture: (...question) => springbar.gesture(...question) };
  for (const [name, start] of Object.entries(parts)) {
    const card = root.querySelector(`[data-interface="${name}"]`);
    const line = element('div', {});
    card.append(line);
    exchangeLine(line, exchanges, ({ path }) => path.endsWith(paths[name]));
    start(card, service);
  }
  root.setAttribute('aria-busy', 'false');
}
