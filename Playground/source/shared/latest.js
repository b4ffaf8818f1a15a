// Requests at the rate of the screen.

/**
 * Wraps `ask(input)` so that one call runs at a time and, of the inputs that come meanwhile, only the newest waits. No
 * call is wasted, and the answers are as fresh as the network allows.
 */
export function oneAtATime(ask) {
  let waiting = null;
  let running = false;
  return async function offer(input) {
    waiting = { input };
    if (running) return;
    running = true;
    try {
      while (waiting) {
        const { input: next } = waiting;
        waiting = null;
        try {
          await ask(next);
        } catch (error) {
          // A newer input makes the failure of an older one irrelevant.
          if (!waiting) throw error;
        }
      }
    } finally {
      running = false;
    }
  };
}

/** Wraps `action` so that it runs once in the next frame, however often it is called before. */
export function oncePerFrame(action) {
  let frame = 0;
  return () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      action();
    });
  };
}

/** Wraps `action` so that it runs when no call has come for `milliseconds`. */
export function atRest(milliseconds, action) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, milliseconds);
  };
}
