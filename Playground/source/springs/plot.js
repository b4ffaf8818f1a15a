// The curve of one spring or two: overshoot and settling, a read-out under the pointer, a playhead, and a handle that
// changes the spring.

import { figure, svg } from '../shared/dom.js';

const PAD = { left: 10, right: 14, top: 34, bottom: 30 };
/** The overshoot below which the handle is a point before the target, as a fraction of the travel. */
const VISIBLE = 0.004;

export class Plot {
  #root;
  #width = 0;
  #height = 0;
  #content = null;
  #scale = null;
  #drag = null;
  #marks = svg('g', {});
  #head = svg('g', { class: 'plot-head', visibility: 'hidden' });
  #hover = svg('g', { class: 'plot-hover', visibility: 'hidden' });
  #handle = svg('circle', { class: 'plot-handle', r: 9, visibility: 'hidden' });
  /** Called with the time and the curves' states at the pointer; with null when it leaves. */
  onHover = () => {};
  /** Called with `{ dampingRatio, response }` while the handle is dragged. */
  onHandle = () => {};

  constructor(root) {
    this.#root = root;
    root.append(this.#marks, this.#hover, this.#head, this.#handle);
    root.addEventListener('pointermove', (event) => this.#move(event));
    root.addEventListener('pointerleave', () => this.#leave());
    this.#handle.addEventListener('pointerdown', (event) => this.#grab(event));
    for (const type of ['pointerup', 'pointercancel']) root.addEventListener(type, () => this.#release());
    new ResizeObserver(() => this.#measure()).observe(root.parentElement);
  }

  /** The duration of the plot, in seconds. */
  get duration() {
    return this.#scale?.end ?? 1;
  }

  /** Shows `curves`, `{ name, curve }` each, the last one on top; with `canHandle` a handle changes the last one. */
  show(curves, canHandle) {
    this.#content = { curves, canHandle };
    this.#root.classList.remove('is-stale');
    this.#draw();
  }

  /** Marks the drawn curve as outdated. */
  fade() {
    this.#root.classList.add('is-stale');
    this.#handle.setAttribute('visibility', 'hidden');
  }

  /** Moves the playhead to a time; null hides it. */
  play(time) {
    this.#place(this.#head, time);
  }

  #measure() {
    const width = Math.max(240, this.#root.parentElement.clientWidth);
    const height = this.#root.parentElement.clientHeight;
    if (width === this.#width && height === this.#height) return;
    [this.#width, this.#height] = [width, height];
    this.#root.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.#draw();
  }

  #draw() {
    if (!this.#content || this.#width === 0) return;
    const { curves, canHandle } = this.#content;
    if (!this.#drag) this.#scale = this.#scaleFor(curves);
    const { end, peak, low } = this.#scale;
    const { x, y } = this;
    const rest = [0, 1].map((value) =>
      svg(
        'line',
        {
          class: value ? 'plot-target' : 'plot-rest',
          x1: PAD.left,
          x2: this.#width - PAD.right,
          y1: y(value),
          y2: y(value),
        },
      ),
    );
    this.#marks.replaceChildren(
      ...rest,
      ...ticks(end).map((time) => label(`${figure(time, 2)} s`, x(time), this.#height - 8, 'plot-tick', 'middle')),
      ...curves.flatMap((one, index) => this.#curve(one, index, curves.length)),
    );
    this.#root.dataset.range = `${low} ${peak}`;
    const handle = canHandle ? handlePoint(curves.at(-1).curve) : null;
    this.#handle.setAttribute('visibility', handle ? 'visible' : 'hidden');
    if (handle) {
      this.#handle.setAttribute('cx', x(handle.time));
      this.#handle.setAttribute('cy', y(handle.position));
    }
  }

  #scaleFor(curves) {
    const longest = Math.max(...curves.map(({ curve }) => curve.settlingTime ?? 8 * curve.spring.response));
    const end = Math.min(60, Math.max(0.1, longest * 1.18));
    const peaks = curves.map(({ curve }) => curve.peak?.position ?? 1);
    const lows = curves.map(
      ({ curve }) => (curve.initialVelocity < 0 ? Math.min(...curve.samples(end).map(([, at]) => at)) : 0),
    );
    return { end, peak: Math.max(1.08, ...peaks), low: Math.min(0, ...lows) };
  }

  x = (time) => PAD.left + (time / this.#scale.end) * (this.#width - PAD.left - PAD.right);

  y = (value) => {
    const { peak, low } = this.#scale;
    return PAD.top + ((peak - value) / (peak - low)) * (this.#height - PAD.top - PAD.bottom);
  };

  #curve({ name, curve }, index, count) {
    const { end } = this.#scale;
    const points = thinned(curve.samples(end).map(([time, value]) => [this.x(time), this.y(value)]), this.#width);
    const parts = [svg('polyline', { class: `plot-curve is-${name}`, points: points.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(' '), fill: 'none' })];
    const { settlingTime, overshoot } = curve;
    if (settlingTime !== null && settlingTime <= end) {
      const at = this.x(settlingTime);
      const isLate = at > this.#width - 110;
      // Marks at nearly the same position are placed one above the other.
      const line = this.y(0) - 8 - (count - 1 - index) * 18;
      parts.push(
        svg('line', { class: `plot-settled is-${name}`, x1: at, x2: at, y1: this.y(1), y2: this.#height - PAD.bottom }),
        label(
          `settles ${figure(settlingTime, 3)} s`,
          at + (isLate ? -6 : 6),
          line,
          `plot-mark is-${name}`,
          isLate ? 'end' : 'start',
        ),
      );
    }
    if (overshoot > 0.002) {
      const { time, position } = curve.peak;
      parts.push(
        label(
          `+${figure(overshoot * 100, 1)} %`,
          this.x(time) + 14,
          this.y(position) - 8,
          `plot-mark is-${name}`,
          'start',
        ),
      );
    }
    return parts;
  }

  // The read-out and the playhead.

  #place(group, time) {
    if (time === null || !this.#scale) return group.setAttribute('visibility', 'hidden');
    const x = this.x(Math.min(time, this.#scale.end));
    const dots = this.#content.curves.map(({ name, curve }) =>
      svg('circle', { class: `plot-dot is-${name}`, cx: x, cy: this.y(curve.at(time).position), r: 4.5 }),
    );
    group.replaceChildren(svg('line', { x1: x, x2: x, y1: PAD.top - 12, y2: this.#height - PAD.bottom }), ...dots);
    group.setAttribute('visibility', 'visible');
  }

  #at(event) {
    const box = this.#root.getBoundingClientRect();
    const share = (event.clientX - box.left - PAD.left) / (box.width - PAD.left - PAD.right);
    const { end, peak, low } = this.#scale;
    const inner = this.#height - PAD.top - PAD.bottom;
    return {
      time: Math.max(0, share) * end,
      position: peak - ((event.clientY - box.top - PAD.top) / inner) * (peak - low),
    };
  }

  #move(event) {
    // Nothing is drawn before the size is known.
    if (!this.#scale) return;
    if (this.#drag) return this.onHandle(this.#drag(this.#at(event)));
    const { time } = this.#at(event);
    if (time > this.#scale.end) return this.#leave();
    this.#place(this.#hover, time);
    this.onHover(time);
  }

  #leave() {
    this.#place(this.#hover, null);
    this.onHover(null);
  }

  #grab(event) {
    event.preventDefault();
    this.#root.setPointerCapture(event.pointerId);
    this.#root.classList.add('is-dragged');
    this.#leave();
    const { curve } = this.#content.curves.at(-1);
    const { dampingRatio, response } = curve.spring;
    const { time } = handlePoint(curve);
    this.#drag = (to) => {
      const height = Math.min(0.95, to.position - 1);
      if (height > VISIBLE && curve.initialVelocity === 0) {
        const log = Math.log(height);
        const ratio = -log / Math.hypot(Math.PI, log);
        const wanted = to.time * 2 * Math.sqrt((1 - ratio) * (1 + ratio));
        return { dampingRatio: round(ratio), response: round(Math.min(10, Math.max(0.05, wanted))) };
      }
      const ratio = dampingRatio < 1 && curve.initialVelocity === 0 ? 1 : dampingRatio;
      return { dampingRatio: round(ratio), response: round(Math.min(10, Math.max(0.05, (response * to.time) / time))) };
    };
  }

  #release() {
    if (!this.#drag) return;
    this.#drag = null;
    this.#root.classList.remove('is-dragged');
    this.#draw();
  }
}

/** Returns the peak, or the point at nine tenths of the way if there is no visible peak. */
function handlePoint(curve) {
  if (curve.overshoot > VISIBLE) return curve.peak;
  let [low, high] = [0, curve.settlingTime ?? curve.spring.response];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (curve.at(middle).position < 0.9) low = middle;
    else high = middle;
  }
  return high > 0 ? { time: high, position: curve.at(high).position } : null;
}

/** Returns at most the lowest and the highest point of each column of pixels, in order of time. */
function thinned(points, width) {
  if (points.length < 3 * width) return points;
  const columns = new Map();
  points.forEach((point, index) => {
    const column = Math.floor(point[0]);
    const known = columns.get(column) ?? { low: [index, point], high: [index, point] };
    if (point[1] < known.low[1][1]) known.low = [index, point];
    if (point[1] > known.high[1][1]) known.high = [index, point];
    columns.set(column, known);
  });
  return [...columns.values()].flatMap(({ low, high }) => (low[0] < high[0] ? [low[1], high[1]] : [high[1], low[1]]));
}

function round(value) {
  return Number(value.toFixed(3));
}

function label(text, x, y, className, anchor) {
  return svg('text', { class: className, x, y, 'text-anchor': anchor }, text);
}

/** Returns a few round times. */
function ticks(end) {
  const step = [0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10, 20].find((candidate) => end / candidate <= 6) ?? end / 5;
  const count = Math.floor(end / step - 0.25);
  return Array.from({ length: Math.max(0, count) }, (_, index) => (index + 1) * step);
}
