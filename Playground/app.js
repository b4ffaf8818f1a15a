// The page: three parts around one client. What is not on the first screen starts when it comes near.

import { Springbar } from './api/springbar.js';
import { startBar } from './bar/index.js';
import { askForToken } from './token.js';

const springbar = new Springbar();
springbar.client.askForToken = askForToken;

/** Calls `start(section)` once, a screen before the section comes into view. */
function whenNear(id, start) {
  const section = document.getElementById(id);
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      start(section);
    },
    { rootMargin: '100% 0px' },
  );
  observer.observe(section);
}

startBar(document.getElementById('bar'), springbar);
whenNear('springs', async (section) => (await import('./lab/index.js')).startLab(section, springbar.springs));
whenNear('interfaces', async (section) => (await import('./interfaces/index.js')).startInterfaces(section, springbar));
