// The beginning and the end of a session, its connection, and what it reports.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import test from 'node:test';

import { Bar } from '../source/bar.js';
import { Connection } from '../source/connection.js';
import { at, BODY, plain, TRACKS, world } from './world.js';

test('A full queue does not stop the bar: another session goes on from a snapshot', async () => {
  const { bar, network, service, settle, clock, told, requests } = world({ queueLimit: 3, body: { ...BODY, tracks: TRACKS } });
  bar.send(at(-200));
  await settle();
  const first = bar.id;
  network.isUp = false;
  for (let y = -199; y <= -160; y += 1) bar.send(at(y));
  bar.setTracks({ beta: { keyframes: [{ progress: 0, value: 7 }] } });
  assert.deepEqual([bar.state.height, bar.values, bar.pendingEvents.length], [160, { alpha: 0.6, beta: 7 }, 3]);
  clock.setTimeout(() => (network.isUp = true), 60_000);
  await settle();
  assert.deepEqual(told.problem.map(({ problem: { code, isTransient }, events }) => [code, isTransient, events.length]), [['queue-full', false, 3]]);
  assert.notEqual(bar.id, first);
  assert.deepEqual(plain(service.bars.get(bar.id).layout.snapshot), plain(bar.snapshot));
  assert.deepEqual([bar.state.height, bar.lastSequence, bar.revision, told.correction], [160, 0, 0, []]);
  bar.send(at(-150));
  await settle();
  assert.deepEqual([bar.state.height, bar.lastSequence, bar.values.beta], [150, 1, 7]);
  assert.equal(new Set(requests.map(({ headers }) => headers['Idempotency-Key']).filter(Boolean)).size, 2);
});

test('A session of another client is left, and not deleted, by a full queue', async () => {
  const { bar, connection, requests, finish, settle, clock } = world();
  bar.send(at(-200));
  await settle();
  const other = new Bar(connection, BODY, { id: bar.id, queueLimit: 2 });
  for (let y = -199; y <= -190; y += 1) other.send(at(y));
  await finish(other.settled());
  // A request without a response that anything waits for may be on its way.
  await finish(new Promise((resolve) => clock.setTimeout(resolve, 1000)));
  assert.notEqual(other.id, bar.id);
  assert.deepEqual(requests.filter(({ method }) => method === 'DELETE'), []);
});

test('The state and the values are the same objects until they change', async () => {
  const { bar, settle } = world({ body: { ...BODY, tracks: TRACKS } });
  const { state, values, scrollable } = bar;
  bar.send(at(-200));
  bar.send({ type: 'panGesture', state: 'possible' });
  await settle();
  assert.ok(bar.state === state && bar.values === values && bar.scrollable === scrollable);
  const { state: sent } = bar.send(at(-150));
  assert.ok(bar.state === sent && sent !== state && bar.values !== values && bar.scrollable === scrollable);
  assert.deepEqual([bar.state.height, bar.values], [150, { alpha: 0.5 }]);
});

const tooLarge = { status: 413, body: { code: 'content-too-large' } };
const problems = ({ problem }) => problem.map(({ problem: { status }, events }) => [status, events.length]);

test('A batch that is too large is halved while tracks wait, and one event that is too large stops the session', async () => {
  let [most, during] = [4, () => bar.setTracks(TRACKS)];
  const answer = (method, path, { body }) => {
    if (!path.endsWith('/events') || body.events.length <= most) return undefined;
    during();
    return tooLarge;
  };
  const { bar, settle, posts, told } = world({ answer });
  for (let y = -199; y <= -190; y += 1) bar.send(at(y));
  await settle();
  assert.deepEqual([posts().map(({ body }) => body.events.length), bar.values], [[10, 5, 3, 6, 3, 4], { alpha: 0.91 }]);
  [most, during] = [0, () => {}];
  bar.send(at(-180));
  bar.send(at(-170));
  await assert.rejects(settle(), { status: 413 });
  assert.deepEqual(problems(told), [[413, 0]]);
  most = 1;
  bar.retry();
  await settle();
  assert.deepEqual([bar.state.height, bar.lastSequence], [171, 12]);
});

test('A creation that is too large stops the session', async () => {
  let isSmall = false;
  const answer = (method, path) => (path === '/v1/bars' && !isSmall ? tooLarge : undefined);
  const { bar, settle, requests, told } = world({ answer });
  bar.send(at(-190));
  bar.send(at(-180));
  await assert.rejects(settle(), { status: 413 });
  assert.deepEqual([problems(told), requests.length], [[[413, 0]], 1]);
  isSmall = true;
  bar.retry();
  await settle();
  assert.equal(bar.state.height, 190);
});

test('A session that was refused is not created again at its end', async () => {
  const { bar, clock, requests } = world({ answer: () => ({ status: 401, body: { code: 'unauthorized' } }) });
  await assert.rejects(clock.run(() => bar.isSettled && requests.length > 5), /nothing is left/);
  await bar.end();
  assert.equal(requests.length, 1);
});

test('A session leaves no listener behind', async () => {
  const online = new Set();
  const [add, remove] = [globalThis.addEventListener, globalThis.removeEventListener];
  globalThis.addEventListener = (_, listener) => online.add(listener);
  globalThis.removeEventListener = (_, listener) => online.delete(listener);
  try {
    const controller = new AbortController();
    const listeners = () => getEventListeners(controller.signal, 'abort').length;
    const { bar, network, clock, finish, settle } = world({ signal: controller.signal });
    bar.send(at(-200));
    await settle();
    network.isUp = false;
    bar.send(at(-100));
    await clock.run(() => bar.connection.state === 'waiting');
    // The network is back: the pause ends at once.
    assert.equal(online.size, 1);
    const { now } = clock;
    network.isUp = true;
    for (const wake of online) wake();
    await settle();
    assert.ok(clock.now - now < 200 && online.size === 0);
    const leave = bar.follow();
    const aborted = new AbortController();
    bar.settled({ signal: aborted.signal });
    assert.ok(listeners() > 0);
    leave();
    await finish(bar.end());
    assert.deepEqual([listeners(), getEventListeners(aborted.signal, 'abort').length, online.size], [0, 0, 0]);
  } finally {
    [globalThis.addEventListener, globalThis.removeEventListener] = [add, remove];
  }
});

test('The connection is connecting, online, or waiting for a time that it tells', async () => {
  const { bar, network, clock, told, settle, requests } = world();
  assert.deepEqual(bar.connection, { state: 'connecting', retryAt: null, problem: null });
  bar.send(at(-200));
  await settle();
  assert.deepEqual(bar.connection, { state: 'online', retryAt: null, problem: null });
  network.isUp = false;
  bar.send(at(-100));
  await clock.run(() => bar.connection.state === 'waiting');
  const { retryAt, problem } = bar.connection;
  assert.ok(retryAt > clock.now && problem.code === 'unreachable');
  await clock.run(() => bar.connection.state === 'connecting');
  assert.equal(clock.now, retryAt);
  network.isUp = true;
  await settle();
  assert.deepEqual(told.connection.at(-1), { state: 'online', retryAt: null, problem: null });
  assert.ok(requests.length > 0);
});

for (const [answer, isLost, resource] of [['A success', false, '/tracks'], ['A refusal', true, '/v1/bars']]) {
  test(`${answer} after an outage lets the next fault start with a short wait`, async () => {
    let [isUp, faults, answered, repeated] = [false, 0, null, null];
    const { bar, service, network, clock, settle } = world({
      answer: (method, path) => {
        if (!isUp) return undefined;
        if (!path.endsWith(resource)) answered ??= clock.now;
        else if ((faults += 1) === 1) return { status: 503, body: {} };
        else repeated = clock.now;
        return undefined;
      },
    });
    bar.send(at(-200));
    await settle();
    if (isLost) service.kill();
    network.isUp = false;
    bar.send(at(-100));
    clock.setTimeout(() => (isUp = network.isUp = true), 120_000);
    await clock.run(() => answered !== null);
    if (!isLost) bar.setTracks(TRACKS);
    await settle();
    assert.ok(repeated - answered < 1000, `${repeated - answered} ms after the answer`);
  });
}

test('Events that are found in the log are reported as confirmed', async () => {
  let lost = 0;
  const { bar, clock, service, settle, told } = world({
    answer: (method, path, request) => {
      if (!path.endsWith('/events') || method !== 'POST' || request.isInner || (lost += 1) > 1) return undefined;
      // The batch arrives, its response does not, and then another writer uses the next number.
      service.handle(method, path, { ...request, isInner: true });
      service.handle(method, path, { body: { events: [{ type: 'expand', on: true }] }, isInner: true });
      return { status: 503, body: {} };
    },
  });
  bar.send(at(-200));
  bar.send(at(-190));
  await clock.run(() => bar.connection?.state === 'waiting' || lost === 1);
  // The batch that is sent again is longer, so its last number is another writer's.
  bar.send(at(-180));
  await settle();
  assert.deepEqual(told.confirm[0], { first: 1, last: 1, milliseconds: null });
  const numbers = told.confirm.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, k) => first + k));
  assert.deepEqual(numbers, [1, 2, 4]);
});

test('What is given to a bar is copied', async () => {
  const body = structuredClone({ ...BODY, tracks: TRACKS, options: { fixes: ['overscroll'] } });
  const { bar, settle, requests } = world({ body });
  body.configuration.normalStateHeight = 250;
  body.scrollable.contentOffset.y = 0;
  body.tracks.alpha.compactNormalRange.range[1] = 9;
  body.options.fixes.push('baseInset');
  const event = at(-200);
  bar.send(event);
  event.contentOffset.y = 77;
  bar.send(at(-150));
  const tracks = { beta: { keyframes: [{ progress: 0, value: 1 }] } };
  bar.setTracks(tracks);
  tracks.beta.keyframes[0].value = 5;
  assert.deepEqual([bar.state.height, plain(bar.values)], [150, { alpha: 0.5, beta: 1 }]);
  await settle();
  const [creation] = requests;
  assert.equal(creation.body.configuration.normalStateHeight, 200);
  assert.deepEqual(creation.body.options.fixes, ['overscroll']);
  assert.deepEqual([bar.state.height, plain(bar.values)], [150, { alpha: 0.5, beta: 1 }]);
});

test('A response that is not JSON is a problem with its status; one that claims success has 0, and may be retried', async () => {
  for (const [status, type, expected, isTransient, retryAfter = null] of [
    [200, 'text/html', 0, true], [200, 'application/json', 0, true], [403, 'text/html', 403, false],
    [403, 'application/json', 403, false], [502, 'application/problem+json', 502, true], [503, 'text/html', 503, true, 3600],
  ]) {
    const headers = { 'Content-Type': type, ...(retryAfter && { 'Retry-After': retryAfter }) };
    const fetch = async () => new Response('<html>', { status, headers });
    const connection = new Connection({ base: '', environment: { fetch } });
    await assert.rejects(connection.request('GET', '/v1/a'), { status: expected, code: 'unreadable', isTransient, retryAfter });
  }
});

test('A wait is never longer than a timer can be, which would end at once', () => {
  const connection = new Connection({ base: '' });
  assert.equal(connection.delay(0, 2_592_000), 2e9);
  assert.equal(connection.delay(0, Infinity), 2e9);
});
