// Types of testing.js: a service in memory for the tests of an app.

import { Environment } from '../../../springbar.js';

export interface MockRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body?: any;
}

export interface MockAnswer {
  status: number;
  body?: unknown;
  /** Seconds, for the field `Retry-After`. */
  retryAfter?: number | string;
}

/** Bars with the rules of the service, and answers that the test gives; without a network. */
export class MockService {
  /** The environment of a client: `new Springbar({ environment: service.environment })`. */
  readonly environment: Pick<Environment, 'fetch'>;
  /** The requests so far. */
  readonly requests: MockRequest[];
  /** The bars by their id. */
  readonly bars: Map<string, unknown>;
  /** Whether the service can be reached; the default is true. */
  isUp: boolean;
  /**
   * Answers requests of a method to a path, or to those that a regular expression matches: with JSON, or with what a
   * function returns; undefined leaves the request to others. The last one wins.
   */
  on(method: string, path: string | RegExp, answer: object | ((request: MockRequest) => MockAnswer | undefined)): void;
  /** Loses all bars, as a service that is killed does. */
  kill(): void;
}
