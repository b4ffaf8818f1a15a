// For questions that are asked again before they are answered, such as those of a slider.

/** Wraps `ask(…arguments, { signal })` so that a new call aborts the one before; an aborted call answers undefined. */
export function latest(ask) {
  let controller = null;
  return async (...args) => {
    controller?.abort();
    const mine = (controller = new AbortController());
    try {
      return await ask(...args, { signal: mine.signal });
    } catch (error) {
      if (mine.signal.aborted) return undefined;
      throw error;
    }
  };
}

/** Asks again when the service is too busy to answer, after as long as it says; `ask` is called without arguments. */
export async function patiently(ask) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (error.status !== 503 || !error.retryAfter) throw error;
      await new Promise((resolve) => setTimeout(resolve, error.retryAfter * 1000));
    }
  }
}

/**
 * Wraps `ask(input)` so that one call runs at a time and, of what comes meanwhile, only the newest waits.
 * For input at the rate of the screen: no call is ever wasted, and the answers are as fresh as the network allows.
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
          // What went wrong with a question that is no longer asked is of no interest.
          if (!waiting) throw error;
        }
      }
    } finally {
      running = false;
    }
  };
}
