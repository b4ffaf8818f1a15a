// A CSS easing as the nearest spring: the one with the least mean square distance over its duration and once as long
// afterwards, when an easing rests at its target.

import { Spring } from '/client/springbar.js';

/** The number of samples, and the length of the comparison in durations. */
const [SAMPLES, LENGTH] = [120, 2];
const KEYWORDS = {
  ease: [0.25, 0.1, 0.25, 1],
  'ease-in': [0.42, 0, 1, 1],
  'ease-out': [0, 0, 0.58, 1],
  'ease-in-out': [0.42, 0, 0.58, 1],
};
/** Seconds of an easing without a duration. */
const ASSUMED = 0.5;

/** Returns the easing in a text, `{ curve(share), duration, isAssumed }`; null if there is none. */
export function readEasing(text) {
  const curve = linear(text) ?? bezier(text);
  if (!curve) return null;
  const [, number, unit] = /(?:^|[\s:;,(])(\d*\.?\d+)(ms|s)\b/.exec(text.replace(/\([^()]*\)/g, ' ')) ?? [];
  const duration = number > 0 ? Number(number) * (unit === 's' ? 1 : 1e-3) : ASSUMED;
  return { curve, duration, isAssumed: !(number > 0) };
}

/** Returns the nearest spring, `{ dampingRatio, response, distance }`; the distance is the largest one. */
export function nearestSpring({ curve, duration }) {
  const wanted = Array.from({ length: SAMPLES + 1 }, (_, index) => {
    const share = (LENGTH * index) / SAMPLES;
    return [share, share < 1 ? curve(share) : 1];
  });
  // The response is that of a duration of one second.
  const distances = ([ratio, response]) => {
    const spring = new Spring({ dampingRatio: Math.exp(ratio), response: Math.exp(response) });
    return wanted.map(([share, value]) => Math.abs(spring.position(share) - value));
  };
  const cost = (point) => distances(point).reduce((sum, one) => sum + one * one, 0);
  let best = { point: [0, 0], cost: Infinity };
  const offer = (point) => {
    const one = { point, cost: cost(point) };
    if (one.cost < best.cost) best = one;
  };
  const between = (low, high, share) => Math.log(low) + share * Math.log(high / low);
  for (let row = 0; row <= 14; row += 1) {
    for (let column = 0; column <= 24; column += 1) {
      offer([between(0.05, 3, row / 14), between(0.05, 3, column / 24)]);
    }
  }
  for (let step = 0.1; step > 1e-5;) {
    const { point: [ratio, response], cost: before } = best;
    for (const x of [-step, 0, step]) for (const y of [-step, 0, step]) offer([ratio + x, response + y]);
    if (best.cost === before) step /= 2;
  }
  const [dampingRatio, response] = best.point.map(Math.exp);
  const round = (value) => Number(value.toPrecision(4));
  const distance = Math.max(...distances(best.point));
  return { dampingRatio: round(dampingRatio), response: round(response * duration), distance };
}

/** Reads `linear()`: stops without a position are spread evenly between their neighbours (CSS Easing 2). */
function linear(text) {
  const [, list] = /\blinear\(([^()]*)\)/.exec(text) ?? [];
  if (!list) return null;
  const stops = list.split(',').flatMap((stop) => {
    const numbers = stop.trim().split(/\s+/);
    const value = Number(numbers.find((one) => !one.endsWith('%')));
    const positions = numbers.filter((one) => one.endsWith('%')).map((one) => parseFloat(one) / 100);
    return (positions.length ? positions : [undefined]).map((position) => ({ position, value }));
  });
  if (stops.length < 2 || stops.some(({ value }) => Number.isNaN(value))) return null;
  stops[0].position ??= 0;
  stops.at(-1).position ??= 1;
  for (let index = 1, last = 0; index < stops.length; index += 1) {
    if (stops[index].position === undefined) continue;
    const [from, to] = [stops[last].position, Math.max(stops[last].position, stops[index].position)];
    for (let at = last + 1; at <= index; at += 1) {
      stops[at].position = from + ((to - from) * (at - last)) / (index - last);
    }
    last = index;
  }
  return (share) => {
    const next = Math.max(1, stops.findIndex(({ position }) => position >= share));
    const [a, b] = [stops[next - 1], stops[next]];
    const length = b.position - a.position;
    return length === 0 ? b.value : a.value + ((b.value - a.value) * (share - a.position)) / length;
  };
}

function bezier(text) {
  // Motion and design tokens write the four numbers as a list.
  const [, list] = /\bcubic-bezier\(([^()]*)\)/i.exec(text) ?? /\[((?:[\s\d.-]+,){3}[\s\d.-]+)\]/.exec(text) ?? [];
  const [, keyword] = /(?:^|[\s:,])(ease(?:-in)?(?:-out)?)(?=$|[\s;,])/.exec(text) ?? [];
  const numbers = list ? list.split(',').map(Number) : KEYWORDS[keyword];
  if (numbers?.length !== 4 || numbers.some(Number.isNaN)) return null;
  const [x1, y1, x2, y2] = numbers;
  if ([x1, x2].some((x) => x < 0 || x > 1)) return null;
  const at = (t, first, second) => 3 * (1 - t) ** 2 * t * first + 3 * (1 - t) * t * t * second + t ** 3;
  return (share) => {
    let [low, high] = [0, 1];
    for (let step = 0; step < 40; step += 1) {
      const middle = (low + high) / 2;
      if (at(middle, x1, x2) < share) low = middle;
      else high = middle;
    }
    return at(low, y1, y2);
  };
}
