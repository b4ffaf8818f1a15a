// The named springs: the design tokens of the team first, then the presets of every platform.

import { untilAnswered } from '../shared/retry.js';

let named = null;

/** Resolves with the named springs that are springs; they are large, so they are loaded once, when they are needed. */
export function namedSprings(springs) {
  named ??= untilAnswered(() => Promise.all([springs.designTokens(), springs.presets()]), () => {}).then(
    ([{ designTokens }, { presets }]) => [
      ...designTokens.filter(({ spring }) => spring).map((one) => ({ ...one, platform: 'designTokens' })),
      ...presets,
    ],
  ).catch((problem) => {
    // The next call asks again.
    named = null;
    throw problem;
  });
  return named;
}
