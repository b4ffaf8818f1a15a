// Under any faults, after the last response the client and the service have the same bar, and every event has been
// applied once.

import assert from 'node:assert/strict';
import test from 'node:test';

import { Bar } from '../source/bar.js';
import { Connection } from '../source/connection.js';
import { generator, RandomBar } from './random.js';
import { MockService } from '../source/testing.js';
import { CALM, Clock, Network } from './simulation.js';
import { plain } from './world.js';

const TRACES = Number(process.env.SPRINGBAR_TRACES ?? 10_000);
const SKIPPED = Number(process.env.SPRINGBAR_SKIPPED_TRACES ?? 0);

/** Simulates the life of a bar under faults; returns what to compare at its end. */
async function live(seed) {
  const make = generator(seed);
  const { between, chance } = make;
  const clock = new Clock();
  const service = new MockService();
  const network = new Network(clock, service, seed + 1);
  const source = new RandomBar(seed);
  const connect = (number) =>
    new Connection({ base: '', timeout: 1500, environment: network.environment(seed + number) });
  const body = source.body;
  const bar = new Bar(connect(2), body);
  const seen = { body, bar, service, network, sessions: [], problems: [], sent: new Set(), corrections: 0 };
  bar.on('correction', () => (seen.corrections += 1));
  bar.on('problem', (problem) => seen.problems.push(problem));
  bar.on('session', ({ id }) => {
    seen.sessions.push({ id, pending: bar.pendingEvents.map(({ timestamp }) => timestamp) });
  });

  // Up to 500 ms in each direction.
  const loss = chance(0.5) ? between(0, 0.3) : 0;
  network.faults = { latency: between(0, 1000), loss, duplication: chance(0.5) ? 0.3 : 0 };
  const hasSecond = (seen.hasSecond = chance(0.5));
  const isKilled = chance(0.3);
  let other = null;
  const send = (target, event) => {
    try {
      target.send(event);
      return target.pendingEvents.at(-1).timestamp;
    } catch (problem) {
      // An event about a view that is not attached is refused immediately, as by the service.
      assert.equal(problem.code, 'scrollable-mismatch');
    }
  };
  const count = 5 + Math.floor(between(0, 40));
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    at += chance(0.2) ? between(0, 1500) : between(0, 40);
    clock.setTimeout(() => seen.sent.add(send(bar, source.event)), at);
    if (chance(0.03)) clock.setTimeout(() => bar.setTracks(source.trackChanges), at);
    if (hasSecond && chance(0.15)) {
      clock.setTimeout(() => {
        // Another writer without sequence numbers, or a second client of this module on the same bar.
        if (bar.id === null || !service.bars.has(bar.id)) return;
        if (seed % 2 === 0) {
          other ??= new Bar(connect(3), body, { id: bar.id });
          if (other.id === bar.id) return void send(other, source.event);
        }
        service.handle('POST', `/v1/bars/${bar.id}/events`, { body: { events: [source.event, source.event] } });
        const { revision } = service.bars.get(bar.id);
        if (chance(0.2)) {
          const headers = { 'If-Match': `"${revision}"` };
          service.handle('PUT', `/v1/bars/${bar.id}/tracks`, { headers, body: source.trackChanges });
        }
      }, at);
    }
    if (isKilled && chance(0.05)) {
      clock.setTimeout(() => {
        service.kill();
        network.isUp = false;
        clock.setTimeout(() => (network.isUp = true), between(0, 3000));
      }, at);
    }
  }
  let isSettled = false;
  let fault = null;
  const settle = async () => {
    network.faults = CALM;
    // The second client finishes its events, then the first one reads the changes that it has not seen.
    if (other) await other.settled();
    await bar.settled();
    await bar.sync();
  };
  clock.setTimeout(() => settle().catch((error) => (fault = error)).finally(() => (isSettled = true)), at + 5000);
  await clock.run(() => isSettled);
  if (fault) throw fault;
  return seen;
}

function check({ bar, service, sessions, problems, sent, hasSecond, corrections }) {
  sent.delete(undefined);
  assert.ok(hasSecond || corrections === 0, 'with one writer the shown bar never jumps');
  // Another writer may have detached the view of an event.
  for (const { problem, events } of problems) {
    assert.equal(problem.code, 'scrollable-mismatch');
    for (const { timestamp } of events) sent.delete(timestamp);
  }
  const { layout, log, revision, lastSequence } = service.bars.get(bar.id);
  // Equal to the last bit, including values that responses do not have.
  assert.deepEqual(plain(bar.snapshot), plain(layout.snapshot));
  assert.deepEqual(bar.state, layout.state);
  assert.deepEqual(bar.values, layout.values);
  assert.deepEqual([bar.lastSequence, bar.revision], [lastSequence, revision]);

  // In each session every event occurs at most once, in the order in which it was sent.
  const marks = [...sent];
  const missing = new Set(marks);
  for (const [index, { id, pending }] of sessions.entries()) {
    const own = service.applied.filter((one) => one.id === id && sent.has(one.event.timestamp));
    const numbers = own.map(({ event }) => marks.indexOf(event.timestamp));
    numbers.reduce((before, next) => (assert.ok(before < next, 'in order, none twice'), next), -1);
    // A new session gets only the events that the one before had not confirmed.
    const left = pending.filter((mark) => sent.has(mark)).map((mark) => marks.indexOf(mark));
    if (index > 0) assert.ok((numbers[0] ?? Infinity) >= Math.min(...left, Infinity));
    for (const number of numbers) missing.delete(marks[number]);
  }
  assert.equal(missing.size, 0, 'none is lost');
  assert.ok(log.length > 0);
}

test(`${TRACES} sessions with latency, loss, duplication, reordering, a second writer and restarts converge`, async () => {
  let [requests, sessions] = [0, 0];
  for (let seed = SKIPPED + 1; seed <= SKIPPED + TRACES; seed += 1) {
    try {
      const seen = await live(seed);
      check(seen);
      requests += seen.network.requests;
      sessions += seen.sessions.length;
    } catch (error) {
      error.message = `seed ${seed}: ${error.message}`;
      throw error;
    }
  }
  // Every fault has occurred.
  assert.ok(sessions > TRACES, 'sessions were created anew');
  assert.ok(requests > 5 * TRACES);
});
