// The latency of the service, from sending events until the response is read.

import { part, show, svg } from '../shared/dom.js';

const SAMPLES = 60;
const WIDTH = 120;
const HEIGHT = 24;

export class Latency {
  #root;
  #samples = [];
  #line = svg('polyline', { fill: 'none' });

  constructor(root) {
    this.#root = root;
    const chart = part(root, 'latency-chart');
    chart.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
    chart.append(this.#line);
  }

  add(milliseconds) {
    this.#samples.push(milliseconds);
    if (this.#samples.length > SAMPLES) this.#samples.shift();
    const sorted = [...this.#samples].sort((a, b) => a - b);
    show(part(this.#root, 'latency-last'), milliseconds, milliseconds.toFixed(1));
    show(part(this.#root, 'latency-median'), median(sorted), median(sorted).toFixed(1));
    const top = Math.max(16, sorted.at(-1));
    const points = this.#samples.map(
      (value, index) => `${WIDTH - ((this.#samples.length - 1 - index) / (SAMPLES - 1)) * WIDTH},${HEIGHT - 1 - (value / top) * (HEIGHT - 2)}`,
    );
    this.#line.setAttribute('points', points.join(' '));
  }
}

function median(sorted) {
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
