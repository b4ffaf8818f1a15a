// Requests at the rate of the screen.

/**
 * Wraps `ask(input)` so that one call runs at a time. Of the inputs during a call, only the newest is kept for the next
 * one.
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
          // The failure of an older input is ignored if there is a newer one.
          if (!waiting) throw error;
        }
      }
    } finally {
      running = false;
    }
  };
}

/** Wraps `action` so that all calls before the next frame run it once, in that frame. */
export function oncePerFrame(action) {
  let frame = 0;
  return () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      action();
    });
  };
}

/** Wraps `action` so that it runs `milliseconds` after the last call. */
export function atRest(milliseconds, action) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, milliseconds);
  };
}
