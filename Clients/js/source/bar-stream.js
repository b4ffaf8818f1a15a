// The stream of a bar: Server-Sent Events, read by `fetch`, which takes a token and is everywhere.

import { onAbort } from './emitter.js';

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
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      await connection.request('GET', path, {
        signal,
        onEvent(type, data) {
          failures = 0;
          if (type === 'state') hear(JSON.parse(data).revision);
          if (type === 'end') hear(Infinity);
        },
      });
    } catch (problem) {
      if (signal.aborted) return;
      if (!problem.isTransient) return hear(Infinity);
    }
    await connection.pause(connection.delay(failures), signal);
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
