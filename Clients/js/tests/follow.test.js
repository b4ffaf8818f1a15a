// A bar that follows a list, on a page without a browser.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import test from 'node:test';

import { Finger, grow, listOf, observerCount, pass, turnWheel } from './page.js';
import { BarFollower } from '../source/follow.js';
import { Springbar } from '../source/springbar.js';
import { MockService } from '../source/testing.js';

const configuration = { compactStateHeight: 100, normalStateHeight: 200, expandedStateHeight: 300 };

/** Returns a follower at rest, its list, its service, and a function that returns the drawn height. */
async function following({ rows = 40, list = listOf(rows), ...settings } = {}) {
  const service = new MockService();
  const springbar = new Springbar({ environment: service.environment });
  let height = 0;
  const bar = (look) => (height = look.height);
  const follower = new BarFollower(springbar, list, { bar, configuration, ...settings });
  await pass(200);
  return { follower, list, service, height: () => height };
}

/** Moves a finger on a list by a distance, and lifts it without velocity. */
async function drag(list, distance) {
  const finger = new Finger(list);
  finger.moveBy(Math.sign(distance) * 6);
  for (let move = 0; move < 10; move += 1, await pass(16)) finger.moveBy(distance / 10);
  await pass(200);
  finger.lift();
}

/** Scrolls a list until its normal bar lies over its content, which a larger content moves to the edge of the bar. */
async function coverContent({ list }) {
  for (const distance of [-180, 100]) {
    await drag(list, distance);
    await pass(600);
  }
}

const offsetOf = ({ session }) => session.snapshot.scrollable.contentOffset.y;

test('A gesture that catches an animation moves the bar from where it stands', async () => {
  for (const gesture of ['finger', 'wheel']) {
    const { follower, list, height } = await following();
    follower.expand(true);
    await pass(130);
    const caught = height();
    assert.ok(caught > 210 && caught < 290, `${caught}`);
    const finger = gesture === 'finger' ? new Finger(list) : null;
    const draw = () => assert.equal(height() + follower.y, 0, gesture);
    for (let move = 0; move < 3; move += 1) {
      if (finger) finger.moveBy(-8);
      else turnWheel(list, 8);
      draw();
      await pass(16);
      draw();
    }
    assert.ok(height() < caught && height() > caught - 25, `${caught}, then ${height()}`);
    if (finger) await pass(200);
    assert.equal(follower.isAtRest, finger !== null, 'nothing is left to correct');
    await follower.stop();
  }
});

test('A caught bar that must have another height goes there with a spring', async () => {
  const { follower, list, height } = await following();
  turnWheel(list, 900);
  await pass(1000);
  assert.deepEqual([height(), follower.y], [100, 700]);
  follower.expand(true);
  await pass(130);
  const caught = height();
  assert.ok(caught > 190 && caught < 210 && follower.y > 100, `${caught} at ${follower.y}`);
  new Finger(list);
  assert.deepEqual([height(), follower.session.state.height], [caught, 100]);
  await pass(32);
  assert.ok(height() < caught && height() > caught - 30, `${height()}`);
  await pass(1000);
  assert.deepEqual([height(), follower.isAtRest], [100, true]);
  await follower.stop();
});

test('With echoed feedback, the offsets of an animation are marked, and the bar does not lag behind them', async () => {
  const { follower, service } = await following({ feedback: 'echoed', options: { tolerance: 8 } });
  for (const [on, height] of [[true, 300], [false, 200]]) {
    service.applied.length = 0;
    follower.expand(on);
    await pass(600);
    const sources = service.applied.filter(({ event }) => event.type === 'contentOffset').map(({ event }) => event.source);
    assert.ok(sources.length > 10 && sources.every((source) => source === 'animation'), `${on}: ${sources}`);
    assert.deepEqual([follower.session.state.height, follower.y, follower.isAtRest], [height, -height, true]);
  }
  await follower.stop();
});

test('With either feedback, the session has the list where a command without animation has moved it', async () => {
  for (const feedback of ['applied', 'echoed']) {
    const page = await following({ feedback });
    const { follower, list, service } = page;
    await coverContent(page);
    assert.deepEqual([follower.session.state.height, follower.y, offsetOf(follower)], [200, -120, -120], feedback);
    service.applied.length = 0;
    grow(list, 60);
    await pass(200);
    assert.deepEqual([follower.session.state.height, follower.y, offsetOf(follower)], [200, -200, -200], feedback);
    const types = service.applied.map(({ event }) => `${event.type} ${event.source ?? 'user'}`);
    assert.deepEqual(types, ['contentSize user', ...(feedback === 'echoed' ? ['contentOffset animation'] : [])]);
    await follower.stop();
  }
});

test('Under a finger, neither content that grows nor a command moves the list or the bar', async () => {
  for (const feedback of ['applied', 'echoed']) {
    const page = await following({ feedback });
    const { follower, list, service, height } = page;
    await coverContent(page);
    const finger = new Finger(list);
    finger.moveBy(-6);
    finger.moveBy(-10);
    assert.deepEqual([height(), follower.y], [190, -110]);
    grow(list, 60);
    await pass(32);
    assert.deepEqual([height(), follower.y, offsetOf(follower)], [190, -110, -110], feedback);
    assert.equal(follower.session.snapshot.scrollable.contentSize.height, 41 * 88 - 28);
    finger.moveBy(-5);
    assert.deepEqual([height(), follower.y, offsetOf(follower)], [185, -105, -105], feedback);
    // Further down, the session commands nothing, and the list stays attached.
    finger.moveBy(-200);
    await pass(100);
    service.applied.length = 0;
    grow(list, 60);
    await pass(100);
    assert.deepEqual(service.applied.map(({ event }) => event.type), ['contentSize'], feedback);
    await follower.stop();
  }
});

test('A bar that is opened under a finger stays with the list', async () => {
  for (const feedback of ['applied', 'echoed']) {
    const { follower, list, height } = await following({ feedback });
    const finger = new Finger(list);
    finger.moveBy(-6);
    finger.moveBy(-20);
    follower.expand(true);
    await pass(16);
    assert.deepEqual([height(), follower.y, offsetOf(follower)], [180, -180, -180], feedback);
    assert.equal(follower.isOpen, false, feedback);
    finger.moveBy(-5);
    assert.deepEqual([height(), follower.y, offsetOf(follower)], [175, -175, -175], feedback);
    await follower.stop();
  }
});

test('After the end, nothing writes to the list or draws the bar', async () => {
  for (const feedback of ['applied', 'echoed']) {
    const { follower, list, height } = await following({ feedback });
    await follower.stop();
    const other = listOf(40);
    const styles = () => JSON.stringify([list, other].map(({ written, dataset, scrollTop }) => ({ written, dataset, scrollTop })));
    const [before, drawn] = [styles(), height()];
    for (const act of [
      () => follower.expand(true),
      () => follower.expand(false),
      () => follower.preview(follower.session, -150),
      () => follower.resume(-150),
      () => follower.attach(other, 'other'),
      () => follower.session.send({ type: 'expand', on: true }),
      () => follower.session.send({ type: 'contentOffset', contentOffset: { x: 0, y: 50 } }),
    ]) {
      act();
      await pass(400);
      assert.deepEqual([styles(), height()], [before, drawn], `${feedback}: ${act}`);
    }
  }
});

test('A list that another one has replaced has no effect on the bar', async () => {
  const { follower, list, service, height } = await following({ options: { snap: 'projected' } });
  const other = listOf(40);
  follower.attach(other, 'other');
  await pass(200);
  service.applied.length = 0;
  await drag(list, -150);
  await pass(600);
  assert.deepEqual([list.scrollTop, other.scrollTop, height(), follower.y], [150, 0, 200, -200]);
  list.scrollTo({ top: 50 });
  await pass(1000);
  await drag(list, 100);
  await pass(600);
  turnWheel(list, 30);
  await pass(600);
  assert.deepEqual([Math.round(list.scrollTop), height(), follower.y, service.applied.length, follower.isAtRest], [30, 200, -200, 0, true]);
  follower.expand(true);
  await pass(130);
  // Neither stops what moves.
  new Finger(list).lift();
  await pass(600);
  assert.deepEqual([height(), other.scrollTop, follower.y], [300, 0, -300]);
  follower.attach(list, 'main');
  await pass(200);
  await drag(list, -200);
  await pass(600);
  assert.deepEqual([height(), follower.y], [100, -100]);
  await follower.stop();
});

test('An attached list may be another element with the same name, or an element with another name', async () => {
  const { follower, list } = await following();
  const other = listOf(20);
  follower.attach(other, 'main');
  await pass(200);
  const { snapshot } = follower.session;
  assert.deepEqual([follower.list === other, snapshot.scrollable.contentSize.height, other.written.paddingTop], [true, 20 * 88, '200px']);
  for (const element of [other, list]) {
    follower.attach(element, 'renamed');
    await pass(200);
    assert.deepEqual([follower.list === element, follower.session.scrollable.id], [true, 'renamed']);
    follower.expand(true);
    await pass(600);
    assert.deepEqual([follower.y, element.written['--springbar-inset']], [-300, '300px']);
    follower.expand(false);
    await pass(600);
  }
  await follower.stop();
});

test('A list that the page has removed is released when another one is attached', async () => {
  const { follower, list } = await following();
  const lists = [list, ...Array.from({ length: 3 }, () => listOf(40))];
  for (const one of lists.slice(1)) {
    follower.list.isConnected = false;
    follower.attach(one, 'main');
    await pass(100);
  }
  const released = lists.map(({ written, dataset }) => [written.paddingTop, 'springbar' in dataset]);
  assert.deepEqual(released, [...Array(3).fill(['', false]), ['200px', true]]);
  assert.equal(observerCount(), 2);
  await drag(list, -150);
  assert.equal(list.scrollTop, 0);
  // One that comes back is a new one.
  list.isConnected = true;
  follower.attach(list, 'main');
  await pass(200);
  await drag(list, -150);
  await pass(600);
  assert.deepEqual([follower.y, follower.session.state.height], [-50, 100]);
  await follower.stop();
  assert.equal(observerCount(), 0);
});

test('A second follower of a list ends the first one, which then leaves the list alone', async () => {
  const first = await following();
  const { list } = first;
  await drag(list, -400);
  await pass(600);
  first.follower.expand(true);
  await pass(130);
  const second = await following({ list });
  assert.equal(list.written.paddingTop, `${second.follower.session.scrollable.contentInset.top}px`);
  await first.follower.stop();
  first.follower.attach(list, 'again');
  await pass(600);
  assert.deepEqual([first.service.bars.size, second.service.bars.size], [0, 1]);
  assert.equal(first.service.requests.filter(({ method }) => method === 'DELETE').length, 1);
  await drag(list, 600);
  await pass(1000);
  const { state } = second.follower.session;
  assert.deepEqual([state.height, second.height(), second.follower.y], [300, 300, -300]);
  await second.follower.stop();
  assert.deepEqual(Object.entries(list.written).filter(([, value]) => value), []);
});

test('A follower that cannot begin leaves nothing behind', async () => {
  const service = new MockService();
  const springbar = new Springbar({ environment: service.environment });
  const draw = () => {
    throw new RangeError('It cannot draw.');
  };
  const [list, signal] = [listOf(40), new AbortController().signal];
  const descending = { compactStateHeight: 300, normalStateHeight: 200, expandedStateHeight: 100 };
  for (const [one, bar, heights, error] of [
    [list, null, configuration, { name: 'TypeError' }],
    [null, draw, configuration, { name: 'TypeError' }],
    [list, draw, descending, { code: 'heights-not-ascending' }],
    [list, draw, configuration, { name: 'RangeError' }],
  ]) {
    assert.throws(() => new BarFollower(springbar, one, { bar, configuration: heights, signal }), error);
    assert.equal(service.requests.length, error.name === 'RangeError' ? 1 : 0);
  }
  await pass(200);
  await drag(list, -150);
  await pass(200);
  assert.deepEqual(service.requests.map(({ method }) => method), ['POST', 'DELETE']);
  const written = Object.values(list.written).filter((value) => value);
  assert.deepEqual([written, list.scrollTop, observerCount(), getEventListeners(signal, 'abort').length], [[], 0, 0, 0]);
});

test('The content of a list that is released stays where it is, as far as the list can scroll', async () => {
  for (const [distance, top] of [[900, 700], [150, 0]]) {
    const { follower, list } = await following();
    turnWheel(list, distance);
    await pass(1000);
    assert.equal(follower.y, distance - 200);
    await follower.stop();
    assert.equal(list.scrollTop, top);
  }
});

test('A wheel turns by pixels, lines or pages', async () => {
  for (const [deltaMode, distance] of [[0, 1], [1, 16], [2, 667]]) {
    const { follower, list } = await following();
    turnWheel(list, 400);
    await pass(1000);
    turnWheel(list, 1, deltaMode);
    await pass(1000);
    assert.equal(Math.round(follower.y), 200 + distance);
    await follower.stop();
  }
});

test('A list that is attached during a gesture ends the pan, so the bar comes to rest', async () => {
  const gestures = {
    wheel: async (list) => turnWheel(list, 50),
    finger: async (list) => {
      const finger = new Finger(list);
      for (const distance of [-6, -50]) finger.moveBy(distance);
    },
    release: async (list) => {
      list.scrollTo({ top: 40 });
      // The bar goes on to its next state.
      await pass(250);
    },
  };
  for (const [name, begin] of Object.entries(gestures)) {
    const { follower, list, service, height } = await following();
    await begin(list);
    await pass(64);
    assert.ok(height() > 100 && height() < 200, `${name}: ${height()}`);
    follower.attach(listOf(40), 'other');
    await pass(1000);
    const rest = name === 'finger' ? 100 : 200;
    assert.deepEqual([height(), follower.session.state.height, follower.y, follower.isAtRest], [rest, rest, -rest, true], name);
    const states = service.applied.filter(({ event }) => event.type === 'panGesture').map(({ event }) => event.state);
    assert.deepEqual([states.at(-1), states.filter((state) => state === 'ended').length], ['ended', 1], name);
    await follower.stop();
  }
});

test('The finger and its velocity are measured in the pixels of a list that is drawn larger', async () => {
  const ends = [];
  for (const scale of [1, 2]) {
    const { follower, list, service } = await following();
    list.scale = scale;
    const finger = new Finger(list);
    finger.moveBy(-6);
    for (let move = 0; move < 10; move += 1, await pass(16)) finger.moveBy(-4 * scale);
    assert.equal(follower.y, -160);
    finger.lift();
    await pass(1000);
    ends.push(service.applied.find(({ event }) => event.state === 'ended').event.velocity.y);
    await follower.stop();
  }
  assert.ok(ends[0] > 200 && Math.abs(ends[0] - ends[1]) < 20, `${ends}`);
});
