// The session against its vectors.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { Machine } from './machine.js';
import { text, vectors } from './session-cases.js';

const file = readFileSync(new URL('../../../Tests/Vectors/session.json', import.meta.url), 'utf8');
const { body, cases } = JSON.parse(file);

for (const { name, steps, ...settings } of cases) {
  test(name, async () => {
    const machine = new Machine({ body, ...settings }, 0.5);
    for (const [index, { input, does, shown, pauses = [] }] of steps.entries()) {
      const result = await machine.give(input);
      assert.deepEqual([result.does, result.shown], [does, shown], `step ${index}`);
      assert.equal(result.pauses.length, pauses.length, `step ${index}`);
      pauses.forEach(([least, most], place) => {
        assert.ok(result.pauses[place] >= least && result.pauses[place] <= most, `step ${index}`);
      });
    }
  });
}

test('The file is that of its cases', async () => {
  assert.ok(text(await vectors()) === file, 'run node Clients/js/tests/session-cases.js >Tests/Vectors/session.json');
});
