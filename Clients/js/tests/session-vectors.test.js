// The session against its vectors.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { Machine, play } from './machine.js';
import { text, vectors } from './session-cases.js';

const file = readFileSync(new URL('../../../Tests/Vectors/session.json', import.meta.url), 'utf8');
const { body, cases } = JSON.parse(file);

for (const one of cases) test(one.name, () => play(Machine, body, one));

test('The file is that of its cases', async () => {
  assert.ok(text(await vectors()) === file, 'run node Clients/js/tests/session-cases.js >Tests/Vectors/session.json');
});
