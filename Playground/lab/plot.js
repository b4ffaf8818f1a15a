// The curve of one spring or two, with the overshoot and the moment after which nothing moves visibly.

import { figure, svg } from '../dom.js';

const PAD = { left: 8, right: 12, top: 30, bottom: 34 };
const SAMPLES = 180;

/** The times at which a plot over `duration` seconds wants to know the curve. */
export function plotTimes(duration) {
  return Array.from({ length: SAMPLES + 1 }, (_, index) => Number(((index / SAMPLES) * duration).toFixed(5)));
}

export class Plot {
  #root;
  #content = null;

  constructor(root) {
    this.#root = root;
    new ResizeObserver(() => this.#draw()).observe(root.parentElement);
  }

  /** `curves` are `{ name, positions, settlingTime, overshoot }` over the same `times`; the last one is drawn on top. */
  show(times, curves) {
    this.#content = { times, curves };
    this.#draw();
  }

  #draw() {
    if (!this.#content) return;
    const { times, curves } = this.#content;
    const width = Math.max(240, this.#root.parentElement.clientWidth);
    const height = Math.round(Math.min(380, Math.max(240, width * 0.5)));
    const peak = Math.max(1.08, ...curves.flatMap(({ positions }) => positions));
    const low = Math.min(0, ...curves.flatMap(({ positions }) => positions));
    const end = times.at(-1);
    const x = (time) => PAD.left + (time / end) * (width - PAD.left - PAD.right);
    const y = (value) => PAD.top + ((peak - value) / (peak - low)) * (height - PAD.top - PAD.bottom);
    this.#root.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.#root.style.height = `${height}px`;
    this.#root.replaceChildren(
      svg('line', { class: 'plot-rest', x1: PAD.left, x2: width - PAD.right, y1: y(0), y2: y(0) }),
      svg('line', { class: 'plot-target', x1: PAD.left, x2: width - PAD.right, y1: y(1), y2: y(1) }),
      ...ticks(end).map((time) => label(`${figure(time, 2)} s`, x(time), height - 8, 'plot-tick', 'middle')),
      ...curves.flatMap((curve, index) => this.#curve(curve, times, x, y, { width, height, index, count: curves.length })),
    );
  }

  #curve({ name, positions, settlingTime, overshoot }, times, x, y, { width, height, index, count }) {
    const points = positions.map((value, at) => `${x(times[at]).toFixed(2)},${y(value).toFixed(2)}`).join(' ');
    const parts = [svg('polyline', { class: `plot-curve is-${name}`, points, fill: 'none' })];
    if (settlingTime !== null && settlingTime <= times.at(-1)) {
      const at = x(settlingTime);
      const isLate = at > width - 110;
      // Two marks that fall together are written one above the other.
      const line = y(0) - 8 - (count - 1 - index) * 18;
      parts.push(
        svg('line', { class: `plot-settled is-${name}`, x1: at, x2: at, y1: y(1), y2: height - PAD.bottom }),
        label(`settles ${figure(settlingTime, 3)} s`, at + (isLate ? -6 : 6), line, `plot-mark is-${name}`, isLate ? 'end' : 'start'),
      );
    }
    const peak = Math.max(...positions);
    if (overshoot > 0.002) {
      const at = x(times[positions.indexOf(peak)]);
      parts.push(
        svg('circle', { class: `plot-peak is-${name}`, cx: at, cy: y(peak), r: 3.5 }),
        label(`+${figure(overshoot * 100, 1)} %`, at + 9, y(peak) - 7, `plot-mark is-${name}`, 'start'),
      );
    }
    return parts;
  }
}

function label(text, x, y, className, anchor) {
  return svg('text', { class: className, x, y, 'text-anchor': anchor }, text);
}

/** A handful of round times. */
function ticks(end) {
  const step = [0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10, 20].find((candidate) => end / candidate <= 6) ?? end / 5;
  const count = Math.floor(end / step - 0.25);
  return Array.from({ length: Math.max(0, count) }, (_, index) => (index + 1) * step);
}
