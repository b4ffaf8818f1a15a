// The page: three parts around one client. A part that is not on the first screen starts when it is scrolled near.

import { exchanges, springbar } from './shared/service.js';
import { element } from './shared/dom.js';
import { startBar } from './bar/index.js';
import { startLab } from './springs/index.js';
import { namedSprings } from './springs/named-springs.js';

/**
 * Calls `start(section)` when the section is nearer than a share of the screen, and offers a retry after a failure.
 */
function whenNear(id, distance, start) {
  const section = document.getElementById(id);
  let attempts = 0;
  const begin = async () => {
    try {
      await start(section, (attempts += 1));
    } catch (problem) {
      const retry = element('button', { type: 'button', class: 'button' }, 'Try again');
      const note = element(
        'p',
        { class: 'message chapter-fault', role: 'alert' },
        'This part could not be loaded. ',
        problem.status ? `${problem.message} ` : '',
        retry,
      );
      retry.addEventListener('click', () => {
        note.remove();
        begin();
      });
      section.querySelector('.lead').append(note);
    }
  };
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      begin();
    },
    { rootMargin: `${distance} 0px` },
  );
  observer.observe(section);
}

startLab(document.getElementById('springs'), springbar, exchanges);
startBar(document.getElementById('bar'), springbar, exchanges);
// Its springs are large, so the first screen does without them.
whenNear('gallery', '10%', async (section, attempt) => {
  const { startGallery } = await import(`/playground/gallery.js${attempt > 1 ? `?attempt=${attempt}` : ''}`);
  startGallery(section, await namedSprings(springbar.springs));
});
whenNear('interfaces', '60%', async (section, attempt) => {
  // A browser may cache the failure of an address, so each attempt has another one.
  const { startInterfaces } = await import(`/playground/interfaces.js${attempt > 1 ? `?attempt=${attempt}` : ''}`);
  startInterfaces(section, springbar, exchanges);
});
