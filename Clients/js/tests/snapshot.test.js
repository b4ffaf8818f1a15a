// A session that has ended is replaced by one that goes on from a snapshot: nothing on the screen changes.

import assert from 'node:assert/strict';
import test from 'node:test';

import { BarLayout } from '../source/bar-layout.js';
import { RandomBar } from './random.js';
import { at, BODY, plain } from './world.js';

/** Applies an event to two bars; both refuse it or have the same results. */
function applyBoth(one, other, event, message) {
  const [a, b] = [one, other].map((layout) => {
    try {
      const outcome = layout.apply(event);
      const { state, scrollable, values, snapshot } = layout;
      return plain({ outcome, state, scrollable, values, snapshot });
    } catch (problem) {
      return problem.code;
    }
  });
  assert.deepEqual(a, b, message);
}

test('A bar that is created from a snapshot goes on as the other one does', () => {
  let stretched = 0;
  for (let seed = 1; seed <= 3000; seed += 1) {
    const source = new RandomBar(seed);
    const bar = new BarLayout(source.body);
    for (let count = seed % 40; count > 0; count -= 1) applyBoth(bar, new BarLayout(bar), source.event);
    const other = new BarLayout(plain(bar.body));
    assert.deepEqual(plain([other.snapshot, other.values]), plain([bar.snapshot, bar.values]), `seed ${seed}`);
    assert.deepEqual(other.created, { commands: [], crossings: [] });
    stretched += bar.state.height > Object.values(bar.body.configuration)[2];
    for (let count = 0; count < 30; count += 1) applyBoth(bar, other, source.event, `seed ${seed}, event ${count}`);
  }
  assert.ok(stretched > 10, 'some were stretched beyond their limit');
});

const size = (height) => ({ type: 'contentSize', contentSize: { width: 375, height } });

test('The snapshot of a bar is accepted by a creation, at the limits of its numbers, too', () => {
  for (const limit of [1e12, -1e12]) {
    const place = { x: limit, y: limit };
    let bar = new BarLayout({
      configuration: BODY.configuration,
      options: { fixes: ['baseInset'], resistance: { dimension: 1e9, constant: 1 } },
      snapshot: {
        offset: limit,
        isExpandedStateAvailable: false,
        scrollable: {
          id: 'a',
          contentOffset: place,
          contentSize: { width: 0, height: 0 },
          frame: { x: 0, y: 0, width: 1e9, height: 1e9 },
          contentInset: { top: limit, left: 0, bottom: limit, right: 0 },
        },
        previousContentOffset: place,
        baseInsetBottom: limit,
      },
    });
    for (const event of [size(1), at(-1e9), at(1e9), { type: 'expand', on: true }, at(-1e9)]) {
      bar.apply(event);
      bar = new BarLayout(plain(bar.body));
    }
  }
});
