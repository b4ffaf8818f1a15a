// Every wrong guess that docs/rules.md excludes fails a vector: the sources are changed as a port with that guess would be.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { BarLayout } from '../source/bar-layout.js';
import { REDUCER, SESSION } from './guesses.js';
import { play } from './machine.js';
import { plain } from './world.js';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const options = JSON.parse(read('../../../Tests/Vectors/options.json')).cases;
const session = JSON.parse(read('../../../Tests/Vectors/session.json'));
const traces = JSON.parse(read('../../../Tests/Vectors/bar.json')).cases;
const rules = read('../../../docs/rules.md');

const folder = mkdtempSync(join(tmpdir(), 'guesses-'));
after(() => rmSync(folder, { recursive: true }));

/** Copies the client, and replaces a text of one of its sources. */
function changed(number, file, from, to) {
  const copy = join(folder, String(number));
  const own = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
  for (const name of ['source', 'tests', 'package.json']) cpSync(own(name), join(copy, name), { recursive: true });
  const source = join(copy, 'source', file);
  const parts = readFileSync(source, 'utf8').split(from);
  assert.ok(parts.length > 1, `${file} has the text: ${from}`);
  writeFileSync(source, parts.join(to));
  return (name) => import(pathToFileURL(join(copy, name)));
}

/** Returns a result as the service writes it: no crossings if there are none. */
function written(layout, { commands, crossings, preconfigured }) {
  const { state, scrollable, values } = layout;
  return {
    state, scrollable, commands,
    ...(crossings.length > 0 && { crossings }),
    ...(preconfigured && { preconfigured }),
    ...(Object.keys(values).length > 0 && { values }),
  };
}

/** Runs a body and its events with a reducer: `{ created, steps, snapshot }`. */
function run(body, events, Layout = BarLayout) {
  const layout = new Layout(body);
  const created = written(layout, { ...layout.created, crossings: [] });
  const steps = events.map((event) => {
    try {
      return { event, expect: written(layout, layout.apply(event)) };
    } catch ({ status, code }) {
      return { event, problem: { status, code } };
    }
  });
  return plain({ created, steps, snapshot: layout.snapshot });
}

/** Returns the first vector of options.json or bar.json that a reducer fails. */
function failed(Layout) {
  const isSame = (action, expected) => {
    try {
      assert.deepEqual(action(), expected);
      return true;
    } catch {
      return false;
    }
  };
  const option = options.find(({ body, created, steps, snapshot }) =>
    !isSame(() => run(body, steps.map(({ event }) => event), Layout), { created, steps, snapshot }));
  const own = ({ configuration, scrollable, tracks, closedLoop, steps }) =>
    run({ configuration, scrollable, tracks, feedback: closedLoop ? 'applied' : 'echoed' }, steps.map(({ event }) => event), Layout);
  return option ?? traces.find((trace) => {
    const offsets = trace.steps.map(({ expect }) => expect.state.offset);
    return !isSame(() => own(trace).steps.map(({ expect }) => expect.state.offset), offsets);
  });
}

for (const { name, body, created, steps, snapshot } of options) {
  test(`options: ${name}`, () => {
    assert.deepEqual(run(body, steps.map(({ event }) => event)), { created, steps, snapshot });
  });
}

for (const [number, [rule, guess, file, from, to]] of REDUCER.entries()) {
  test(`${rule}, not: ${guess}`, async () => {
    const { BarLayout: Layout } = await changed(number, file, from, to)('source/bar-layout.js');
    assert.ok(failed(Layout), 'no vector fails');
  });
}

for (const [number, [rule, guess, file, from, to]] of SESSION.entries()) {
  test(`${rule}, not: ${guess}`, async () => {
    const { Machine } = await changed(`s${number}`, file, from, to)('tests/machine.js');
    // One that repeats without a pause never rests.
    let isFailed = false;
    for (const one of session.cases.filter(({ rules: names }) => names.split(' ').includes(rule))) {
      isFailed ||= await play(Machine, session.body, one).then(() => false, () => true);
    }
    assert.ok(isFailed, 'no vector fails');
  });
}

test('Every guess is beside its rule in docs/rules.md, and every rule has one', () => {
  const paragraphs = rules.matchAll(/^- \*\*([RS]\d+)\*\* ([^]*?)(?=^- |^#|^$)/gm);
  const page = Array.from(paragraphs, ([, rule, text]) => {
    const [, guesses = ''] = text.replace(/\s+/g, ' ').trim().split(' *Not:* ');
    return guesses.replace(/\.$/, '').split('; ').map((guess) => `${rule}: ${guess}`);
  });
  assert.deepEqual(page.flat(), [...REDUCER, ...SESSION].map(([rule, guess]) => `${rule}: ${guess}`));
});
