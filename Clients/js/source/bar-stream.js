// The stream of a bar: Server-Sent Events, read by `fetch`, which takes a token and is everywhere.

import { onAbort } from './emitter.js';

/** A stream that lives for so many milliseconds ends the back-off. */
const STEADY = 5000;

/** Listens to the stream of `bar`, and to that of each session that replaces it. Returns a function that stops it. */
export function watchStream(bar, connection, hear, signal) {
  let stream;
  const stop = () => stream?.abort();
  const open = () => {
    stop();
    if (bar.id === null || signal.aborted) return;
    stream = new AbortController();
    listen(connection, `/v1/bars/${bar.id}/stream`, hear, stream.signal);
  };
  open();
  const leave = bar.on('session', open);
  const ignore = onAbort(signal, stop);
  return () => {
    leave();
    ignore();
    stop();
  };
}

/**
 * Calls `hear` with each new revision, and with Infinity when the session may have ended. Connects again, after longer
 * and longer waits, until `signal` is aborted or the service does not know the bar.
 */
async function listen(connection, path, hear, signal) {
  const { now } = connection.environment;
  for (let failures = 0; !signal.aborted; failures += 1) {
    let [begun, retryAfter] = [Infinity, null];
    try {
      await connection.request('GET', path, {
        signal,
        onEvent(type, data) {
          begun = Math.min(begun, now());
          const revision = type === 'state' ? JSON.parse(data).revision : null;
          if (Number.isInteger(revision)) hear(revision);
          if (type === 'end') hear(Infinity);
        },
      });
    } catch (problem) {
      if (signal.aborted) return;
      if (!problem.isTransient) return hear(Infinity);
      retryAfter = problem.retryAfter;
    }
    if (now() - begun >= STEADY) failures = 0;
    await connection.pause(connection.delay(failures, retryAfter), signal);
  }
}

/** Reads events until their end. Calls `onEvent(type, data)` for each, and `isAlive()` for all that arrives. */
export async function readEvents(body, onEvent, isAlive) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (let text = ''; ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    isAlive();
    const events = (text + decoder.decode(value, { stream: true })).split('\n\n');
    text = events.pop();
    for (const event of events) {
      const field = (name) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(event)?.[1];
      onEvent(field('event'), field('data'));
    }
  }
}
