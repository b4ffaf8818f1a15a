// Each test checks one rule of a session, in a simulation with its own time.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { Bar } from '../source/bar.js';
import { Connection } from '../source/connection.js';
import { Problem } from '../source/problem.js';
import { at, BODY, plain, TRACKS, world } from './world.js';

test('One request is in flight at a time, and a batch has at most 500 events', async () => {
  const { bar, posts, settle } = world();
  for (let index = 0; index < 1201; index += 1) bar.send(at(index % 7));
  await settle();
  assert.deepEqual(posts().map(({ body }) => body.events.length), [500, 500, 201]);
  assert.deepEqual(posts().map(({ body }) => body.events[0].sequence), [1, 501, 1001]);
  posts().reduce((before, next) => (assert.ok(next.at > before.at + 16), next));
});

test('An event that is refused is not sent', () => {
  const { bar } = world();
  assert.throws(() => bar.send(at(Number.NaN)), { status: 422, code: 'invalid-content' });
  assert.deepEqual(bar.pendingEvents, []);
});

test('A retry of a page of the log keeps what the pages before it have told', async () => {
  let pages = 0;
  const { bar, service, settle, requests, told } = world({
    answer: (method, path) => {
      if (method !== 'GET' || !path.endsWith('/events') || (pages += 1) !== 2) return undefined;
      return { status: 503, body: { type: '/problems/overloaded' } };
    },
  });
  service.kept = 700;
  bar.send(at(-200));
  await settle();
  // The log loses the size of the content. Its first page has a gap and a command, its second page fails once.
  const others = Array.from({ length: 900 }, (_, index) => at(-150 - (index % 50)));
  others[0] = { type: 'contentSize', contentSize: { width: 375, height: 100 } };
  others[400] = { type: 'expand', on: true };
  for (const event of others) service.handle('POST', `/v1/bars/${bar.id}/events`, { body: { events: [event] } });
  bar.sync();
  await settle();
  const targets = requests.filter(({ method }) => method === 'GET').map(({ path, query }) => [path.split('/')[4], query]);
  assert.deepEqual(targets.map(([name]) => name), ['events', 'events', 'events', 'states']);
  assert.deepEqual(targets[2], targets[1]);
  const { scrollable, state } = service.bars.get(bar.id).layout;
  assert.deepEqual([bar.scrollable, bar.state], [scrollable, state]);
  assert.deepEqual([bar.lastSequence, bar.revision], [901, 901]);
  const commands = told.correction.flatMap((correction) => correction.commands);
  assert.deepEqual(commands.map(({ y, animated }) => [y, animated]), [[-300, true]]);
});

test('A session that ends while its log is read starts anew with an empty log', async () => {
  let pages = 0;
  const { bar, service, settle, requests } = world({
    answer: (method, path) => {
      if (method !== 'GET' || !path.endsWith('/events') || (pages += 1) !== 2) return undefined;
      service.kill();
      return undefined;
    },
  });
  bar.send(at(-200));
  await settle();
  const [first] = requests;
  const others = Array.from({ length: 600 }, (_, index) => at(-150 - (index % 50)));
  service.kept = 700;
  for (const event of others) service.handle('POST', `/v1/bars/${bar.id}/events`, { body: { events: [event] } });
  bar.sync();
  await settle();
  service.handle('POST', `/v1/bars/${bar.id}/events`, { body: { events: [{ type: 'expand', on: true }] } });
  bar.sync();
  await settle();
  assert.equal(requests.filter(({ path }) => path === first.path).length, 2);
  assert.deepEqual(plain(service.bars.get(bar.id).layout.snapshot), plain(bar.snapshot));
  assert.equal(bar.state.height, 300);
});

test('An event of another writer causes a correction with its animation and commands', async () => {
  const { bar, service, settle, told } = world();
  for (const y of [-200, 0, 10]) bar.send(at(y));
  await settle();
  service.handle('POST', `/v1/bars/${bar.id}/events`, { body: { events: [{ type: 'expand', on: true }] } });
  bar.send({ type: 'panGesture', state: 'changed' });
  await settle();
  const [{ from, to, commands, residue, spring }] = told.correction;
  assert.deepEqual([from, to, bar.state.height], [100, 300, 300]);
  assert.deepEqual(commands.map(({ y, animated }) => [y, animated]), [[-300, true]]);
  assert.deepEqual([residue(0), Math.abs(residue(spring.settlingTime())) < 1], [-200, true]);
  assert.equal(told.change.at(-1).state.height, 300);
});

/** A connection of a service that accepts only the token `good`; `sent` has the tokens of the requests. */
function locked(tokens, token) {
  const { network, clock, service } = world();
  const sent = [];
  service.handle = (method, path, { headers }) => {
    const used = headers.Authorization?.replace('Bearer ', '');
    if (path === '/v1/a') sent.push(used);
    return used === 'good' ? { status: 200, body: {} } : { status: 401, body: { type: '/problems/unauthorized' } };
  };
  const authorize = () => tokens.shift() ?? null;
  const connection = new Connection({ base: '', token, authorize, environment: network.environment(3) });
  const get = async () => {
    let outcome = null;
    connection.get('/v1/a').then(() => (outcome = 'answered'), (problem) => (outcome = problem));
    await clock.run(() => outcome);
    return outcome.code ?? outcome;
  };
  return { get, sent };
}

test('Requests with a token that is refused at the same time ask once for another', async () => {
  const { get, sent } = locked(['good', 'not asked for'], 'bad');
  assert.deepEqual(await Promise.all([get(), get()]), ['answered', 'answered']);
  assert.deepEqual(sent, ['bad', 'bad', 'good', 'good']);
});

test('A refused token is asked for again, once a request', async () => {
  // The first token was kept from another day; the next one is typed.
  const old = locked(['old', 'good']);
  assert.equal(await old.get(), 'answered');
  assert.deepEqual(old.sent, [undefined, 'old', 'good']);
  const expired = locked(['good'], 'old');
  assert.equal(await expired.get(), 'answered');
  assert.deepEqual(expired.sent, ['old', 'good']);
});

test('A request whose second token is refused is unauthorized, and the next request asks again', async () => {
  const { get, sent } = locked(['bad 1', 'bad 2', 'bad 3', 'good']);
  assert.equal(await get(), 'unauthorized');
  assert.deepEqual(sent, [undefined, 'bad 1', 'bad 2']);
  assert.equal(await get(), 'unauthorized');
  assert.deepEqual(sent.slice(3), ['bad 2', 'bad 3']);
  assert.equal(await get(), 'answered');
});

test('A failure of authorize is a problem of the requests that wait for it', async () => {
  const { network, clock, service } = world();
  service.handle = () => ({ status: 401, body: {} });
  for (const authorize of [() => Promise.reject(new Error('no')), () => { throw new Error('no'); }]) {
    const connection = new Connection({ base: '', authorize, environment: network.environment(3) });
    const faults = [];
    for (const path of ['/v1/a', '/v1/b']) connection.get(path).catch((problem) => faults.push(problem));
    await clock.run(() => faults.length === 2);
    for (const { name, code, status, isTransient, cause } of faults) {
      assert.deepEqual([name, code, status, isTransient, cause.message], ['Problem', 'unauthorized', 401, false, 'no']);
    }
  }
});

test('A request that is aborted does not wait for authorize', async () => {
  const { network, clock, service } = world();
  service.handle = () => ({ status: 401, body: {} });
  let asked = 0;
  const authorize = () => new Promise(() => (asked += 1));
  const connection = new Connection({ base: '', authorize, environment: network.environment(3) });
  const controller = new AbortController();
  let reason = null;
  connection.get('/v1/a', {}, controller).catch((error) => (reason = error));
  await clock.run(() => asked === 1);
  controller.abort(new Error('left'));
  await new Promise(setImmediate);
  assert.equal(reason?.message, 'left');
  assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
});

test('A pause after an abort ends at once, and leaves nothing behind', async () => {
  const { clock, connection } = world();
  let isOver = false;
  connection.pause(3_600_000, AbortSignal.abort()).then(() => (isOver = true));
  const { now } = clock;
  await clock.run(() => isOver);
  assert.equal(clock.now, now);
});

test('Which problems are transient is the same in both clients', () => {
  const { transient, final } = JSON.parse(readFileSync(new URL('../../../Tests/Vectors/session.json', import.meta.url))).problems;
  const problem = ({ status = 0, code, retryAfter = null }) => new Problem(status, { code }, { retryAfter });
  for (const one of transient) assert.equal(problem(one).isTransient, true, JSON.stringify(one));
  for (const one of final) assert.equal(problem(one).isTransient, false, JSON.stringify(one));
});

test('An abort ends waiting and sending', async () => {
  const controller = new AbortController();
  const { bar, clock, network } = world({ signal: controller.signal });
  bar.send(at(0));
  const settled = bar.settled();
  controller.abort(new Error('enough'));
  await assert.rejects(settled, /enough/);
  const { requests } = network;
  clock.setTimeout(() => {}, 60_000);
  await clock.run(() => clock.now >= 60_000);
  assert.ok(network.requests <= requests + 1);
  assert.equal(bar.send(at(-1)).state.height, 200, 'the bar itself goes on');
});

test('Tracks change immediately and stay changed while other changes are adopted', async () => {
  const { bar, service, settle, told } = world();
  bar.send(at(-200));
  await settle();
  service.handle('POST', `/v1/bars/${bar.id}/events`, { body: { events: [{ type: 'expand', on: true }] } });
  bar.send({ type: 'frame', frame: BODY.scrollable.frame });
  bar.on('correction', () => bar.setTracks({ size: { keyframes: [{ progress: 0, value: 7 }] } }));
  bar.setTracks({ alpha: { keyframes: [{ progress: 0, value: 3 }] } });
  assert.deepEqual(bar.values, { alpha: 3 });
  await settle();
  assert.ok(told.correction.length > 0);
  for (const { values } of told.change.slice(-2)) assert.equal(values.alpha, 3);
  assert.deepEqual(bar.values, { alpha: 3, size: 7 });
  assert.deepEqual(service.bars.get(bar.id).layout.values, bar.values);
});

test('Tracks of a bar whose tags are more than revisions are set with the tag of the refusal', async () => {
  const conditions = [];
  const { bar, settle, told } = world({
    answer: (method, path, { headers }) => {
      if (method !== 'PUT') return undefined;
      conditions.push(headers['If-Match']);
      if (conditions.length === 1) return { status: 412, etag: '"0-k"', body: { type: '/problems/precondition-failed' } };
      headers['If-Match'] = headers['If-Match'].replace('-k', '');
      return undefined;
    },
  });
  bar.setTracks(TRACKS);
  await settle();
  bar.setTracks({ alpha: null });
  await settle();
  assert.deepEqual(conditions, ['"0"', '"0-k"', '"1"']);
  assert.deepEqual(told.problem, []);
});

test('The tracks of a continued session are shown until another writer or its end removes them', async () => {
  const track = { keyframes: [{ progress: 0, value: 7 }] };
  const { bar: first, service, network, clock, settle } = world({ body: { ...BODY, tracks: { alpha: track, beta: track } } });
  await settle();
  const bar = new Bar(new Connection({ base: '', environment: network.environment(5) }), BODY, { id: first.id });
  const shown = [];
  bar.on('change', ({ values }) => shown.push(Object.keys(values)));
  await clock.run(() => bar.isSettled);
  assert.deepEqual(shown, [['alpha', 'beta']]);
  bar.send({ type: 'frame', frame: BODY.scrollable.frame });
  await clock.run(() => bar.isSettled);
  assert.equal(shown.length, 2, 'an answer with the same values changes nothing');
  first.setTracks({ alpha: null });
  await settle();
  bar.sync();
  await clock.run(() => bar.isSettled);
  assert.deepEqual([bar.values, shown.at(-1)], [{ beta: 7 }, ['beta']]);
  service.kill();
  bar.send({ type: 'frame', frame: BODY.scrollable.frame });
  await clock.run(() => bar.isSettled);
  assert.deepEqual([bar.values, shown.slice(3)], [{}, [['beta'], []]]);
});

test('A track may have any name, also __proto__', async () => {
  const { bar, service, settle } = world();
  bar.setTracks(JSON.parse('{"__proto__": {"keyframes": [{"progress": 0, "value": 7}]}}'));
  await settle();
  assert.deepEqual(Object.entries(service.bars.get(bar.id).layout.values), [['__proto__', 7]]);
  bar.setTracks(JSON.parse('{"__proto__": null}'));
  await settle();
  assert.deepEqual(Object.entries(service.bars.get(bar.id).layout.values), []);
});
