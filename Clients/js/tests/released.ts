// An app that was written for a release compiles with these declarations (docs/compatibility.md). The released `follow` and
// `testing` take what the present `springbar` makes; test_compatibility.py compares the answers of the service.

import * as follow from '../follow';
import * as springbar from '../springbar';
import * as testing from '../testing';
import * as follow_1_0 from './released/1.0/follow';
import * as springbar_1_0 from './released/1.0/springbar';
import * as testing_1_0 from './released/1.0/testing';

// `Answers` has types alone.
export const values: [Omit<typeof springbar_1_0, 'Answers'>, typeof follow_1_0, typeof testing_1_0] =
  [springbar, follow, testing];
