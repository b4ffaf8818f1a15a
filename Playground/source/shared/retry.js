// Requests that are repeated until there is a response.

/** Milliseconds before the first repetition, and the longest time between two if the service requires none. */
const [FIRST_WAIT, LONGEST_WAIT] = [2000, 16_000];

/** Returns the milliseconds before a request is repeated: twice as many each time, and at least those of `Retry-After`. */
export function waitAfter({ retryAfter }, repetitions) {
  return Math.max(Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** repetitions), Math.min(2 ** 31 - 1, retryAfter * 1000));
}

/** Returns why there is no answer, and when the request is repeated. */
export function unanswered(problem, wait) {
  const reason = problem.status === 0 ? 'The service does not answer.' : problem.message;
  return `${reason} Asking again in ${Math.ceil(wait / 1000)} s.`;
}

/** Repeats a request until there is an answer, and calls `say(text)` after each failure; throws a problem that stays. */
export async function untilAnswered(ask, say) {
  for (let repetitions = 0; ; repetitions += 1) {
    try {
      return await ask();
    } catch (problem) {
      if (!problem.isTransient) throw problem;
      const wait = waitAfter(problem, repetitions);
      say(unanswered(problem, wait));
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
