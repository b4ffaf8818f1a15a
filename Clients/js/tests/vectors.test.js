// The reducer against the vectors of the service.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { BarLayout } from '../springbar.js';

const { cases, tolerance } = JSON.parse(readFileSync(new URL('../../../Tests/Vectors/bar.json', import.meta.url)));

function same(actual, expected, message) {
  if (typeof expected !== 'number') return assert.equal(actual, expected, message);
  assert.ok(Math.abs(actual - expected) <= tolerance, `${message}: ${actual}, not ${expected}`);
}

function check(layout, outcome, expected, place) {
  for (const [member, value] of Object.entries(expected.state)) same(layout.state[member], value, `${place} ${member}`);
  written(layout.scrollable, expected.scrollable, place);
  assert.equal(outcome.commands.length, expected.commands.length, `${place} commands`);
  expected.commands.forEach(({ scrollable, ...command }, index) => {
    if (scrollable) assert.equal(outcome.commands[index].scrollableId, scrollable);
    for (const [member, value] of Object.entries(command)) {
      same(outcome.commands[index][member], value, `${place} command`);
    }
  });
  if (expected.preconfigured) written(outcome.preconfigured, expected.preconfigured, place);
  const { values = {} } = expected;
  for (const [track, value] of Object.entries(values)) same(layout.values[track], value, `${place} ${track}`);
}

function written({ contentInset, scrollIndicatorInsets }, expected, place) {
  same(contentInset.top, expected.contentInsetTop, `${place} top`);
  same(contentInset.bottom, expected.contentInsetBottom, `${place} bottom`);
  same(scrollIndicatorInsets.top, expected.scrollIndicatorInsetTop, `${place} indicators`);
}

for (const { name, configuration, scrollable, closedLoop, tracks, created, steps } of cases) {
  test(name, () => {
    const layout = new BarLayout({ configuration, scrollable, tracks, feedback: closedLoop ? 'applied' : 'echoed' });
    check(layout, layout.created, created, 'created');
    steps.forEach(({ event, expect }, index) => check(layout, layout.apply(event), expect, `step ${index}`));
  });
}
