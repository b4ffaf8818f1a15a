// The eight interfaces. Each decides nothing itself: it asks the service and moves by the spring that comes back.

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

export function startInterfaces(root, springbar) {
  for (const [name, start] of Object.entries(parts)) start(root.querySelector(`[data-interface="${name}"]`), springbar);
  root.setAttribute('aria-busy', 'false');
}
