// The package as an app uses it: a service for its tests, what a bundler keeps, and the store for Svelte.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'node:test';
import vm from 'node:vm';
import { gzipSync } from 'node:zlib';

import { barStore } from '../../../Examples/svelte/barStore.js';
import { Problem, Springbar } from 'springbar';
import { MockService } from 'springbar/testing';
import { at, BODY } from './world.js';

test('The tests of an app need no network', async () => {
  const service = new MockService();
  const springbar = new Springbar({ environment: service.environment });
  const bar = springbar.bar(BODY);
  bar.send(at(-200));
  bar.send(at(-150));
  await bar.settled();
  assert.deepEqual([bar.state.height, bar.lastSequence, service.bars.size], [150, 2, 1]);
  assert.deepEqual(service.requests.map(({ method, path }) => `${method} ${path}`), ['POST /v1/bars', `POST /v1/bars/${bar.id}/events`]);

  service.on('GET', '/v1/status', { version: 'of the test' });
  service.on('GET', /^\/v1\/photos\//, ({ query }) => ({ status: 404, body: { code: 'photo-not-found', detail: query.detail } }));
  assert.equal((await springbar.status()).version, 'of the test');
  await assert.rejects(springbar.photos.photo('x'), { name: 'Problem', code: 'photo-not-found', message: 'basic' });
  await assert.rejects(springbar.springs.presets(), { status: 404 });

  // An outage, and its end.
  service.isUp = false;
  bar.send(at(-100));
  while (bar.connection.state !== 'waiting') await new Promise((resolve) => setTimeout(resolve));
  service.isUp = true;
  bar.retry();
  await bar.settled();
  assert.deepEqual([bar.connection.state, bar.lastSequence], ['online', 3]);
  service.on('DELETE', `/v1/bars/${bar.id}`, () => ({ status: 204 }));
  await bar.end();
});

test('No two services make bars with the same id', async () => {
  const ids = new Set();
  for (let count = 0; count < 3; count += 1) {
    const service = new MockService();
    const bar = new Springbar({ environment: service.environment }).bar(BODY);
    await bar.settled();
    ids.add(bar.id);
    service.kill();
    bar.send(at(-200));
    await bar.settled();
    ids.add(bar.id);
  }
  assert.equal(ids.size, 6);
});

test('A problem can be made, also without content', () => {
  assert.deepEqual([new Problem().status, new Problem().message], [0, 'The service answered 0.']);
  assert.equal(new Problem(503, { code: 'overloaded', detail: 'Busy.' }, { retryAfter: 2 }).isTransient, true);
});

/** Returns the size of a bundle that an app with this source gets. */
function bundled(source) {
  const options = ['--bundle', '--minify', '--format=esm', '--loader=js'];
  return execFileSync('esbuild', options, { input: source, cwd: new URL('.', import.meta.url).pathname });
}

test('A bundler keeps what is used', () => {
  const spring = bundled("import { Spring } from 'springbar'; console.log(new Spring({ duration: 0.5 }));");
  assert.ok(gzipSync(spring).length < 2500, `${gzipSync(spring).length} bytes`);
  assert.ok(!spring.includes('/v1/') && !spring.includes('contentOffset'));
  const animation = bundled("import { animateSpring } from 'springbar/follow'; animateSpring({ duration: 0.5 }, console.log);");
  assert.ok(gzipSync(animation).length < 3000, `${gzipSync(animation).length} bytes`);
  const layout = bundled("import { BarLayout } from 'springbar'; console.log(BarLayout);");
  assert.ok(!layout.includes('/v1/') && !layout.includes('requestAnimationFrame'));
});

test('Without modules, a page has a global, and Node.js requires a file; both parts are in one', async () => {
  const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
  const service = new MockService();
  const { springbar, use } = vm.runInNewContext(`${read('springbar.iife.js')}; globalThis.use = () => springbar; globalThis`, {
    console, setTimeout, clearTimeout, queueMicrotask, AbortController, URL, URLSearchParams, Map, performance,
  });
  assert.equal(use(), springbar);
  const required = createRequire(import.meta.url)('springbar');
  assert.equal(createRequire(import.meta.url)('springbar/follow'), required);
  for (const { Springbar: Client, follow, BarFollower, Spring } of [springbar, required]) {
    assert.deepEqual([typeof follow, typeof BarFollower, new Spring({ duration: 0.5 }).mass], ['function', 'function', 1]);
    const client = new Client({ environment: service.environment });
    const bar = client.bar(BODY);
    bar.send(at(-200));
    await bar.settled();
    assert.deepEqual([client.connection.base, bar.lastSequence], ['', 1]);
    // Without a page there is no list.
    await assert.rejects(client.follow(null, {}));
    await assert.rejects(client.follow(null, { signal: AbortSignal.abort('left') }), (reason) => reason === 'left');
  }
});

test('A Svelte store has the bar now and at each change, and its session ends with the last subscriber', async (t) => {
  globalThis.document = {};
  t.after(() => delete globalThis.document);
  const service = new MockService();
  const bar = barStore(new Springbar({ environment: service.environment }), BODY);
  const seen = [];
  const leave = bar.subscribe(({ state, connection }) => seen.push(`${state.height} ${connection.state}`));
  const leaveOther = bar.subscribe(() => {});
  const turn = () => new Promise((resolve) => setTimeout(resolve));
  bar.send(at(-200));
  bar.send(at(-150));
  while (!seen.at(-1).endsWith('online')) await turn();
  assert.deepEqual(seen, ['200 connecting', '200 connecting', '150 connecting', '150 online']);
  leave();
  bar.send(at(-100));
  assert.equal(seen.length, 4);
  assert.equal(service.bars.size, 1);
  leaveOther();
  for (let turns = 0; turns < 10; turns += 1) await turn();
  assert.equal(service.bars.size, 0);
  bar.subscribe(({ state }) => seen.push(state.height))();
  assert.equal(seen.at(-1), 200, 'another session');
});

test('A Svelte store on a server has the bar after its creation, and sends nothing', () => {
  const service = new MockService();
  const seen = [];
  barStore(new Springbar({ environment: service.environment }), BODY).subscribe((value) => seen.push(value))();
  assert.deepEqual([seen.length, seen[0].state.height, seen[0].connection.state], [1, 200, 'connecting']);
  assert.equal(service.requests.length, 0);
});

// released.ts compares the values with those of a release.
test('Every type that a release declares is declared', () => {
  const names = (path) => new Set(
    Array.from(readFileSync(new URL(path, import.meta.url), 'utf8').matchAll(/^export (?:interface|type|class) (\w+)/gm), (found) => found[1]),
  );
  for (const file of ['springbar', 'follow', 'testing']) {
    const released = names(`released/1.0/${file}.d.ts`);
    assert.ok(released.size >= 3, file);
    assert.deepEqual([...released].filter((name) => !names(`../${file}.d.ts`).has(name)), [], file);
  }
});
