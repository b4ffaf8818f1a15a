// A bar in a simulation without faults, and its requests.

import { Bar } from '../source/bar.js';
import { Connection } from '../source/connection.js';
import { MockService } from '../source/testing.js';
import { CALM, Clock, Network } from './simulation.js';

export const BODY = {
  configuration: { compactStateHeight: 100, normalStateHeight: 200, expandedStateHeight: 300 },
  scrollable: {
    contentOffset: { x: 0, y: -200 },
    contentSize: { width: 375, height: 4800 },
    frame: { x: 0, y: 0, width: 375, height: 667 },
  },
};
export const TRACKS = { alpha: { compactNormalRange: { range: [0, 1] }, normalExpandedRange: { value: 1 } } };
/** JSON has no -0. */
export const plain = (value) => JSON.parse(JSON.stringify(value));
export const at = (y) => ({ type: 'contentOffset', contentOffset: { x: 0, y } });

/** A bar in a simulation without faults; `answer(method, path, request)` may replace the service's response. */
export function world({ body = BODY, answer = () => undefined, ...options } = {}) {
  const clock = new Clock();
  const service = new MockService();
  const handle = service.handle.bind(service);
  const requests = [];
  service.handle = (method, path, request) => {
    requests.push({ method, path, ...request, at: clock.now });
    return answer(method, path, request) ?? handle(method, path, request);
  };
  const network = new Network(clock, service, 1);
  network.faults = { ...CALM, latency: 40 };
  const connection = new Connection({ base: '', environment: network.environment(2) });
  const bar = new Bar(connection, body, options);
  const told = { change: [], correction: [], confirm: [], session: [], connection: [], problem: [] };
  for (const [name, list] of Object.entries(told)) bar.on(name, (detail) => list.push(detail));
  /** Lets time pass until a promise is settled. */
  const finish = async (promise) => {
    let isOver = false;
    promise.catch(() => {}).finally(() => (isOver = true));
    await clock.run(() => isOver);
    return promise;
  };
  const settle = () => finish(bar.settled());
  const posts = () => requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/events'));
  return { bar, clock, service, network, connection, requests, posts, told, finish, settle };
}
