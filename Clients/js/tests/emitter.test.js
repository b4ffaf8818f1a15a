// Listeners that change the list of listeners while they are called.

import assert from 'node:assert/strict';
import test from 'node:test';

import { Emitter } from '../springbar.js';

test('A listener that subscribes again while it is called is called at the next event', () => {
  const [emitter, calls] = [new Emitter(), []];
  let leave;
  const listener = (detail) => {
    if (calls.push(detail) > 3) return;
    leave();
    leave = emitter.on('change', listener);
  };
  leave = emitter.on('change', listener);
  for (const detail of [1, 2]) emitter.emit('change', detail);
  assert.deepEqual(calls, [1, 2]);
});

test('A subscription that another listener ends is not called any more', () => {
  const [emitter, calls] = [new Emitter(), []];
  emitter.on('change', () => leave());
  const leave = emitter.on('change', (detail) => calls.push(detail));
  emitter.emit('change', 1);
  assert.deepEqual(calls, []);
});

test('A listener that is subscribed twice is called until both subscriptions end', () => {
  const [emitter, calls] = [new Emitter(), []];
  const listener = (detail) => calls.push(detail);
  const [first, second] = [emitter.on('change', listener), emitter.on('change', listener)];
  emitter.emit('change', 1);
  first();
  first();
  emitter.emit('change', 2);
  second();
  emitter.emit('change', 3);
  assert.deepEqual(calls, [1, 1, 2]);
});
