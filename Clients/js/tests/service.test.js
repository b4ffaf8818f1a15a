// Compares the client with the service itself: the same numbers, and the same bar in the end.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { BarLayout, Problem, Springbar, VERSION } from '../springbar.js';
import { generator, RandomBar } from './random.js';
import { Service } from './service.js';
import { at, BODY, plain } from './world.js';

const TRACES = Number(process.env.SPRINGBAR_TRACES ?? 10_000);
const EVENTS = 20;
const LIVES = Math.min(300, TRACES);
/** The limits of the compressed size, in bytes: of the module alone, and with the part for pages. */
const LARGEST = { 'springbar.js': 13_900, 'follow.js': 22_950 };

let service;
before(async () => (service = await Service.start()));
after(() => service.stop());

/** Processes the numbers from 1, a few at a time; the first failure ends it. */
async function each(count, work) {
  const controller = new AbortController();
  let next = 0;
  const lane = async () => {
    while (next < count && !controller.signal.aborted) await work((next += 1), controller.signal);
  };
  try {
    await Promise.all(Array.from({ length: 16 }, lane));
  } finally {
    controller.abort();
  }
}

test(`${TRACES} random traces give the same results in the reducer and the service, to the last bit`, async () => {
  const springbar = new Springbar(service.base);
  let compared = 0;
  await each(TRACES, async (seed) => {
    const source = new RandomBar(seed);
    const { body } = source;
    const layout = new BarLayout(body);
    const [events, expected] = [[], []];
    while (events.length < EVENTS) {
      const { event } = source;
      try {
        const outcome = layout.apply(event);
        events.push(event);
        expected.push(plain({ ...outcome, state: layout.state, scrollable: layout.scrollable, values: layout.values }));
      } catch (problem) {
        assert.equal(problem.code, 'scrollable-mismatch');
      }
    }
    const { results } = await springbar.connection.post('/v1/bars/apply', { ...body, events });
    results.forEach(({ sequence, replayed, commands, crossings = [], ...result }, index) => {
      const actual = { ...result, crossings, commands: commands.map(({ sequence: number, ...command }) => command) };
      assert.deepEqual(expected[index], actual, `seed ${seed}, event ${sequence}`);
      compared += 1;
    });
  });
  assert.equal(compared, EVENTS * TRACES);
});

/** A network with delays, losses and duplicates. */
function faulty(seed) {
  const { between, chance } = generator(seed);
  const pause = () => new Promise((resolve) => setTimeout(resolve, between(0, 30)));
  return async (url, init) => {
    await pause();
    if (chance(0.1)) throw new TypeError('lost on the way there');
    if (chance(0.1)) fetch(url, { ...init, signal: undefined }).then((response) => response.text(), () => {});
    const response = await fetch(url, init);
    await pause();
    if (chance(0.1)) throw new TypeError('lost on the way back');
    return response;
  };
}

test('The snapshot that a client computes is that of the service, and a bar made from it goes on alike', async () => {
  const springbar = new Springbar(service.base);
  const request = (...args) => springbar.connection.request(...args);
  await each(LIVES, async (seed) => {
    const source = new RandomBar(seed);
    const { body } = source;
    const layout = new BarLayout(body);
    const apply = (count) => {
      const events = [];
      while (events.length < count) {
        const { event } = source;
        try {
          layout.apply(event);
          events.push(event);
        } catch (problem) {
          assert.equal(problem.code, 'scrollable-mismatch');
        }
      }
      return { body: { events }, query: { results: 'all' } };
    };
    const { id } = await springbar.connection.post('/v1/bars', body);
    const before = apply(seed % EVENTS);
    if (before.body.events.length > 0) await request('POST', `/v1/bars/${id}/events`, before);
    const { snapshot } = await request('GET', `/v1/bars/${id}`);
    assert.deepEqual(plain(layout.snapshot), snapshot, `seed ${seed}`);

    const other = await springbar.connection.post('/v1/bars', plain(layout.body));
    assert.deepEqual([other.commands, other.revision], [[], 0]);
    const after = apply(EVENTS);
    const answers = await Promise.all([id, other.id].map((one) => request('POST', `/v1/bars/${one}/events`, after)));
    const [kept, created] = answers.map(({ state, scrollable, values, results }) => {
      const number = results[0].sequence;
      for (const result of results) {
        result.sequence -= number;
        for (const command of result.commands) command.sequence -= number;
      }
      return { state, scrollable, values, results };
    });
    assert.deepEqual(created, kept, `seed ${seed}`);
    assert.deepEqual((await request('GET', `/v1/bars/${other.id}`)).snapshot, plain(layout.snapshot));
  });
});

test(`${LIVES} sessions over a faulty network with a second writer end in the service's state`, async () => {
  const honest = new Springbar(service.base);
  await each(LIVES, async (seed, signal) => {
    const source = new RandomBar(seed);
    const { between, chance } = generator(seed);
    // A tenth of every pause and time-out.
    const environment = {
      fetch: faulty(seed),
      requestFrame: (action) => setTimeout(action, 4),
      setTimeout: (action, milliseconds) => setTimeout(action, milliseconds / 10),
    };
    const springbar = new Springbar({ base: service.base, environment });
    const bar = springbar.bar(source.body, { signal });
    const refused = new Set();
    bar.on('problem', ({ events }) => events.forEach(({ timestamp }) => refused.add(timestamp)));
    const marks = [];
    for (let index = 0; index < 30; index += 1) {
      try {
        bar.send(source.event);
        marks.push(bar.pendingEvents.at(-1).timestamp);
      } catch (problem) {
        assert.equal(problem.code, 'scrollable-mismatch');
      }
      if (bar.id && chance(0.1)) {
        await honest.connection.post(`/v1/bars/${bar.id}/events`, source.event).catch(() => {});
      }
      if (chance(0.05)) bar.setTracks(source.trackChanges);
      if (chance(0.3)) await new Promise((resolve) => setTimeout(resolve, between(0, 20)));
    }
    await bar.settled();
    await bar.sync();
    const now = await honest.connection.get(`/v1/bars/${bar.id}`);
    assert.deepEqual(plain(bar.state), now.state, `seed ${seed}`);
    assert.deepEqual(bar.scrollable, now.scrollable, `seed ${seed}`);
    assert.deepEqual(plain(bar.values), now.values, `seed ${seed}`);
    assert.deepEqual([bar.lastSequence, bar.revision], [now.lastSequence, now.revision], `seed ${seed}`);
    const { events } = await honest.connection.get(`/v1/bars/${bar.id}/events`, { limit: 512 });
    const arrived = events.map(({ timestamp }) => timestamp).filter((mark) => mark !== undefined);
    assert.deepEqual(arrived, marks.filter((mark) => !refused.has(mark)), `seed ${seed}: each once, in order`);
    await honest.connection.request('DELETE', `/v1/bars/${bar.id}`);
  });
});

test('A service that is killed and restarted gets the bar in its last state', async (t) => {
  let own = await Service.start();
  // A service that runs on would keep this process from ending.
  t.after(() => own.stop('SIGKILL'));
  const bar = new Springbar(own.base).bar(BODY);
  const [corrections, states] = [[], []];
  bar.on('correction', (correction) => corrections.push(correction));
  const isLost = new Promise((resolve) => {
    bar.on('connection', ({ state }) => {
      states.push(state);
      if (state === 'waiting') resolve();
    });
  });
  bar.send(at(-200));
  bar.send(at(-137.25));
  await bar.settled();
  const [first, { port }] = [bar.id, own];
  await own.stop('SIGKILL');
  bar.send(at(-130));
  assert.equal(bar.state.height, 130);
  await isLost;
  own = await Service.start(port);
  await bar.settled();
  assert.notEqual(bar.id, first);
  const answer = await new Springbar(own.base).connection.get(`/v1/bars/${bar.id}`);
  assert.deepEqual([answer.state, answer.state.height], [bar.state, 130]);
  assert.deepEqual(corrections, []);
  assert.deepEqual([states[0], states.at(-1)], ['online', 'online']);
  assert.deepEqual(new Set(states), new Set(['online', 'waiting', 'connecting']));
  await bar.end();
});

test('Problems have the code, the pointers and the request id of the service', async () => {
  const { connection, springs } = new Springbar(service.base);
  const wrong = connection.post('/v1/bars', { configuration: {} }, { headers: { 'X-Request-Id': 'mine-1' } });
  await assert.rejects(wrong, (problem) => {
    assert.ok(problem instanceof Problem && !problem.isTransient);
    assert.deepEqual([problem.status, problem.code, problem.requestId], [422, 'invalid-content', 'mine-1']);
    assert.match(problem.errors[0].pointer, /^\/configuration/);
    return true;
  });
  await assert.rejects(springs.spring({ dampingRatio: -1, response: 1 }), { status: 422 });
  const both = { a: { dampingRatio: 1, response: 0.4 }, b: { response: 0.4, dampingRatio: 0.8 } };
  const { a, maxDistance } = await springs.compare(both);
  assert.ok(a && maxDistance > 0);
  assert.equal((await springs.curve({ dampingRatio: 1, response: 0.4, times: [0, 0.1, 0.2] })).position.length, 3);
});

test('Photos are paged without duplicates, with pictures in the size of the screen', async () => {
  const { photos } = new Springbar(service.base);
  const pager = photos.pager({ limit: 20 });
  let pages = 0;
  for await (const { items } of pager) {
    assert.ok(items.length > 0);
    if ((pages += 1) === 4) break;
  }
  assert.equal(new Set(pager.items.map(({ id }) => id)).size, pager.items.length);
  const address = photos.imageURL(pager.items[0], { width: 100, scale: 2 });
  assert.match(address, /\/image\?w=200$/);
  const picture = await fetch(address);
  assert.match(picture.headers.get('Content-Type'), /^image\//);
  await photos.trackDownload(pager.items[0]);
});

test('The module and its types are served byte for byte', async () => {
  for (const name of ['springbar.js', 'springbar.d.ts', 'answers.d.ts', 'follow.js', 'follow.d.ts']) {
    const file = readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
    const answer = await fetch(`${service.base}/client/${name}`);
    assert.ok((await answer.text()) === file, `${name} is another one: build again`);
    const headers = { 'If-None-Match': answer.headers.get('ETag') };
    const again = await fetch(`${service.base}/client/${name}`, { headers });
    assert.equal(again.status, 304);
  }
  let total = 0;
  for (const [name, largest] of Object.entries(LARGEST)) {
    const { body, headers } = await rawGet(`/client/${name}`, { 'Accept-Encoding': 'gzip' });
    assert.equal(headers['content-encoding'], 'gzip');
    assert.match(headers['content-type'], /^text\/javascript/);
    assert.ok((total += body.length) < largest, `${total} bytes`);
    assert.ok(gunzipSync(body).toString().startsWith(`// ${name} ${VERSION}, `));
  }
});

/** Returns the response with its content undecoded; fetch would decode it. */
async function rawGet(path, headers) {
  const { get } = await import('node:http');
  const response = await new Promise((resolve, reject) => {
    get(service.base + path, { headers }, resolve).on('error', reject);
  });
  const chunks = [];
  for await (const chunk of response) chunks.push(chunk);
  return { body: Buffer.concat(chunks), headers: response.headers };
}
