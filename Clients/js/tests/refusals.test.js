// What the service refuses, the client refuses before it sends it: with the same status, code and location.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { BarLayout } from '../springbar.js';

const file = new URL('../../../Tests/Vectors/refusals.json', import.meta.url);
const { bar, events, creations, tracks } = JSON.parse(readFileSync(file));

/** Checks that `action` throws the problem of a case. */
function refuses(action, { status, code, pointer }) {
  assert.throws(action, (problem) => {
    const [fault] = problem.errors ?? [];
    assert.deepEqual([problem.name, problem.status, problem.code, fault?.pointer], ['Problem', status, code, pointer]);
    assert.doesNotMatch(problem.message, /must be must/);
    return true;
  });
}

const title = (one) => JSON.stringify(Object.values(one)[0]).slice(0, 120);

for (const one of events) {
  test(`An event is refused and changes nothing: ${title(one)}`, () => {
    const layout = new BarLayout(bar);
    const before = JSON.stringify(layout.snapshot);
    refuses(() => layout.apply(one.event), one);
    assert.equal(JSON.stringify(layout.snapshot), before);
  });
}

for (const one of creations) {
  test(`A creation is refused: ${title(one)}`, () => refuses(() => new BarLayout(one.body), one));
}

for (const one of tracks) {
  test(`Tracks are refused and change nothing: ${title(one)}`, () => {
    const layout = new BarLayout(bar);
    refuses(() => layout.setTracks(one.tracks), one);
    assert.deepEqual(layout.values, {});
    refuses(() => new BarLayout({ ...bar, tracks: one.tracks }), { ...one, pointer: `/tracks${one.pointer}` });
  });
}

test('What cannot be written as JSON is refused, too', () => {
  const layout = new BarLayout(bar);
  for (const y of [NaN, Infinity, -Infinity, 5n, Symbol('y'), () => 5]) {
    const event = { type: 'contentOffset', contentOffset: { x: 0, y } };
    refuses(() => layout.apply(event), { status: 422, code: 'invalid-content', pointer: '/contentOffset/y' });
  }
  refuses(() => layout.apply(undefined), { status: 422, code: 'invalid-content', pointer: '' });
  refuses(() => new BarLayout(), { status: 422, code: 'invalid-content', pointer: '' });
});

test('A half of a surrogate pair in a name is refused; a pair is a character', () => {
  const refusal = { status: 422, code: 'invalid-content' };
  const keyframes = [{ progress: 1, value: 0 }];
  for (const [name, isAllowed] of [['\ud800', false], ['a\udc00', false], ['\udc00\ud800', false], ['🎈', true]]) {
    const body = { ...bar, scrollable: { ...bar.scrollable, id: name } };
    const event = { type: 'set', scrollable: body.scrollable };
    for (const [action, pointer] of [
      [() => new BarLayout(body), '/scrollable/id'],
      [() => new BarLayout(bar).apply(event), '/scrollable/id'],
      [() => new BarLayout(bar).setTracks({ [name]: { keyframes } }), `/${name}`],
    ]) {
      if (isAllowed) action();
      else refuses(action, { ...refusal, pointer });
    }
    const other = { type: 'expand', on: true, scrollableId: name };
    refuses(() => new BarLayout(bar).apply(other), isAllowed ?
      { status: 409, code: 'scrollable-mismatch', pointer: '/scrollableId' } : { ...refusal, pointer: '/scrollableId' });
  }
});

test('More tracks than a bar may have are refused, also one by one; all of them can be exchanged at once', () => {
  const layout = new BarLayout(bar);
  const track = { keyframes: [{ progress: 1, value: 0 }] };
  for (let index = 0; index < 128; index += 1) layout.setTracks({ [`t${index}`]: track });
  refuses(() => layout.setTracks({ more: track }), { status: 422, code: 'invalid-content', pointer: '' });
  layout.setTracks({ t0: null, more: track });
  const names = Object.keys(layout.values);
  assert.equal(names.length, 128);
  layout.setTracks(Object.fromEntries(names.flatMap((name) => [[name, null], [`new ${name}`, track]])));
  assert.deepEqual(Object.keys(layout.values), names.map((name) => `new ${name}`));
});
