// The named springs: the design tokens of the team first, then the presets of every platform.

/** Milliseconds before an unreachable service is asked again. */
const RETRY = 2000;
let named = null;

/** Resolves with the named springs that are springs; they are large, so they are loaded once, when they are needed. */
export function namedSprings(springs) {
  named ??= untilAnswered(() => Promise.all([springs.designTokens(), springs.presets()]), () => {}).then(
    ([{ designTokens }, { presets }]) => [
      ...designTokens.filter(({ spring }) => spring).map((one) => ({ ...one, platform: 'designTokens' })),
      ...presets,
    ],
  );
  return named;
}

/** Repeats a request until there is a response; calls `failed()` after each failure. */
export async function untilAnswered(ask, failed) {
  for (;;) {
    try {
      return await ask();
    } catch {
      failed();
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    }
  }
}
