// A client that follows a bar's stream, in a simulation with its own time.

import assert from 'node:assert/strict';
import test from 'node:test';

import { Bar } from '../source/bar.js';
import { Connection } from '../source/connection.js';
import { at, BODY, world } from './world.js';

/**
 * Streams of a bar: each request of one is answered by the next of `answers`: null or nothing for an open stream, a
 * status, or `{ status, type, retryAfter, text }`, with the text of a stream that ends at once.
 */
function streamed(network, answers) {
  const streams = [];
  const environment = network.environment(2);
  const fetch = (url, init) => {
    if (!url.endsWith('/stream')) return environment.fetch(url, init);
    const answer = answers.shift() ?? 200;
    const { status, type, retryAfter, text } = answer.status ? answer : { status: answer };
    const stream = { url, init };
    streams.push(stream);
    const body = new ReadableStream({
      start: (source) => {
        stream.tell = (text) => source.enqueue(new TextEncoder().encode(text));
        stream.close = () => source.close();
        if (text !== undefined) {
          stream.tell(text);
          stream.close();
        }
        init.signal.addEventListener('abort', () => (stream.isClosed = true) && text === undefined && source.error(new Error('aborted')));
      },
    });
    const problem = JSON.stringify({ type: `/problems/${status === 404 ? 'bar-not-found' : 'overloaded'}` });
    const headers = new Headers({ 'Content-Type': type ?? (status === 200 ? 'text/event-stream' : 'application/problem+json') });
    if (retryAfter) headers.set('Retry-After', retryAfter);
    return Promise.resolve({ status, ok: status === 200, headers, body, text: async () => problem });
  };
  return { streams, environment: { ...environment, fetch } };
}

/** A bar that follows its stream. */
async function following(answers = []) {
  const { clock, service, network, requests } = world();
  const { streams, environment } = streamed(network, answers);
  const connection = new Connection({ base: '', token: 'a-token', environment });
  const bar = new Bar(connection, BODY);
  const leave = bar.follow();
  bar.send(at(-200));
  const pass = (isOver) => clock.run(isOver, clock.now + 3_600_000);
  await pass(() => bar.isSettled && streams.length > 0);
  const tell = (revision) => streams.at(-1).tell(`: comment\n\nid: ${revision}\nevent: state\ndata: {"revision":${revision}}\n\n`);
  return { bar, clock, service, requests, streams, leave, pass, tell };
}

test('A client that follows gets the events of others while idle, and not its own', async () => {
  const { bar, service, streams, requests, leave, pass, tell } = await following();
  const corrections = [];
  bar.on('correction', (correction) => corrections.push(correction));
  assert.equal(streams[0].url, `/v1/bars/${bar.id}/stream`);
  assert.deepEqual([streams[0].init.headers.Accept, streams[0].init.headers.Authorization], ['text/event-stream', 'Bearer a-token']);
  const before = requests.length;
  tell(1);
  await new Promise(setImmediate);
  assert.deepEqual([bar.isSettled, requests.length], [true, before], 'that was ours');
  service.handle('POST', `/v1/bars/${bar.id}/events`, { body: { events: [{ type: 'expand', on: true }] } });
  tell(2);
  await pass(() => bar.state.height === 300);
  assert.deepEqual(corrections.map(({ commands }) => commands.length), [1]);
  // When the session ends, another one is created and watched.
  const { id } = bar;
  service.kill();
  streams[0].tell('event: end\ndata: {"reason":"expired"}\n\n');
  await pass(() => bar.isSettled && bar.id !== id && streams.length === 2);
  assert.deepEqual([streams[0].isClosed, streams[1].url], [true, `/v1/bars/${bar.id}/stream`]);
  assert.deepEqual([bar.state.height, corrections.length], [300, 1]);
  leave();
  assert.ok(streams[1].isClosed);
});

test('A stream that breaks or falls silent is opened again', async () => {
  const { bar, clock, service, streams, pass, tell, leave } = await following();
  service.handle('POST', `/v1/bars/${bar.id}/events`, { body: { events: [{ type: 'expand', on: true }] } });
  tell(2);
  await pass(() => bar.state.height === 300);
  streams[0].close();
  await pass(() => streams.length === 2);
  const opened = clock.now;
  tell(2);
  await pass(() => streams.length === 3);
  assert.ok(clock.now - opened >= 45_000, 'nothing came for 45 s, not even a comment');
  leave();
});

/** Returns the times between the streams of a bar that is answered so. */
async function waits(answers) {
  const { clock, streams, pass, leave } = await following([...answers]);
  const times = [];
  for (let count = 1; count <= answers.length + 1; count += 1) {
    await pass(() => streams.length >= count);
    times.push(clock.now);
  }
  leave();
  return times.slice(1).map((time, index) => time - times[index]);
}

test('Streams that are refused or end at once are opened again after longer and longer waits', async () => {
  const state = 'event: state\ndata: {"revision":1}\n\n';
  for (const answer of [503, { status: 200, text: state }, { status: 200, type: 'text/html', text: 'Sign in\n\n' }]) {
    const all = await waits(Array(6).fill(answer));
    all.forEach((wait, index) => assert.ok(wait >= 125 * 2 ** index, `${all}`));
  }
});

test('Retry-After of a stream is obeyed, as seconds and as a date', async () => {
  const soon = new Date(Date.now() + 60_000).toUTCString();
  const [seconds, date] = await waits([{ status: 503, retryAfter: '30' }, { status: 503, retryAfter: soon }]);
  assert.ok(seconds >= 30_000 && seconds < 31_000, `${seconds}`);
  assert.ok(date >= 50_000 && date < 61_000, `${date}`);
});

test('An event without a revision changes nothing', async () => {
  const { bar, service, streams, pass, tell, leave } = await following();
  streams[0].tell('event: state\ndata: {}\n\n');
  service.handle('POST', `/v1/bars/${bar.id}/events`, { body: { events: [{ type: 'expand', on: true }] } });
  tell(2);
  await pass(() => bar.state.height === 300);
  leave();
});
