// Measures the time of a predicted event: `node Clients/js/benchmark.js`. Microseconds per event, the best of ten
// rounds.

import { BarLayout, Springbar } from './springbar.js';

const ROUNDS = 10;
// As many as a bar keeps until the service answers.
const EVENTS = 10_000;
const body = {
  configuration: { compactStateHeight: 100, normalStateHeight: 200, expandedStateHeight: 300 },
  scrollable: {
    contentOffset: { x: 0, y: -200 },
    contentSize: { width: 375, height: 48_000 },
    frame: { x: 0, y: 0, width: 375, height: 667 },
  },
  tracks: Object.fromEntries(
    Array.from({ length: 6 }, (_, index) => [
      `track.${index}`,
      { compactNormalRange: { range: [0, 1] }, normalExpandedRange: { value: 1 } },
    ]),
  ),
};

/** A finger that moves down and up the list. */
const events = Array.from({ length: EVENTS }, (_, index) => ({
  type: 'contentOffset',
  contentOffset: { x: 0, y: -200 + Math.abs((index % 1600) - 800) / 2 },
}));

function measure(name, make) {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const apply = make();
    const began = performance.now();
    for (const event of events) apply(event);
    best = Math.min(best, performance.now() - began);
  }
  console.log(`${name.padEnd(44)} ${((best * 1000) / EVENTS).toFixed(2)} µs`);
}

// There are no responses, so only the event itself is measured.
const environment = { fetch: () => new Promise(() => {}), setTimeout: () => 1, clearTimeout: () => {} };

measure('the reducer alone', () => {
  const layout = new BarLayout(body);
  return (event) => layout.apply(event);
});
measure('a predicted event, with state and six tracks', () => {
  const bar = new Springbar({ base: 'http://127.0.0.1', environment }).bar(body);
  return (event) => bar.send(event);
});
