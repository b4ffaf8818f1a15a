// The service as an object: `springbar.springs.linear(…)`.

import { Bars } from './bars.js';
import { Client } from './client.js';
import { Gestures } from './gestures.js';
import { Photos } from './photos.js';
import { Springs } from './springs.js';

export class Springbar {
  constructor(base = '') {
    this.client = new Client(base);
    this.bars = new Bars(this.client);
    this.springs = new Springs(this.client);
    this.gestures = new Gestures(this.client);
    this.photos = new Photos(this.client);
  }
}

export { Problem } from './client.js';
