// Springs against the vectors of the service.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { project, relativeVelocity, rubberband, Spring } from '../springbar.js';

const suites = JSON.parse(readFileSync(new URL('../../../Tests/Vectors/motion.json', import.meta.url)));
const casesOf = (name) => suites.find(({ suite }) => suite === name).cases;
/** The conventions that the module converts itself; a spring without one is among them. */
const isKnown = ({ convention = 'wwdc', allowOverDamping }) =>
  ['wwdc', 'physical', 'swiftui.durationBounce'].includes(convention) && allowOverDamping === undefined;

function near(actual, expected, tolerance, message) {
  if (expected === null) return assert.equal(actual, null, message);
  const allowed = tolerance * Math.max(1, Math.abs(expected));
  assert.ok(Math.abs(actual - expected) <= allowed, `${message}: ${actual} is not ${expected}`);
}

test('Positions are those of the vectors, for every damping', () => {
  for (const { name, input, expect, tolerance } of casesOf('spring.sample')) {
    if (!isKnown(input)) continue;
    const spring = new Spring(input);
    input.times.forEach((time, index) => {
      near(spring.at(time).position, expect.position[index], tolerance, `${name} at ${time}`);
      near(spring.at(time).velocity, expect.velocity[index], tolerance, `${name} at ${time}, velocity`);
    });
  }
});

test('Values in points are correct, also if the start is the target', () => {
  for (const { name, input, expect, tolerance } of casesOf('spring.sampleAbsolute')) {
    const { dampingRatio, response } = input;
    const { value, velocity } = new Spring({ dampingRatio, response }).value(input.time, input);
    near(value, expect.value, tolerance, name);
    near(velocity, expect.velocity, tolerance, name);
  }
});

test('The settling time is the last crossing', () => {
  for (const { name, input, expect, tolerance } of casesOf('spring.settle')) {
    near(new Spring(input).settlingTime(input.epsilon), expect.settlingTime, tolerance, name);
  }
  for (const ratio of [0.05, 0.3, 0.7, 0.999999, 1, 1.000001, 1.5, 4, 50]) {
    for (const initialVelocity of [-25, -3, 0, 3, 12, 60]) {
      for (const epsilon of [0.1, 0.001, 1e-6]) {
        const spring = new Spring({ dampingRatio: ratio, response: 0.5, initialVelocity });
        const end = spring.settlingTime(epsilon);
        const distance = (time) => Math.abs(1 - spring.position(time));
        assert.ok(end > 0 && distance(end) > epsilon * (1 - 1e-9), `${ratio} ${initialVelocity} ${epsilon}`);
        for (let step = 1; step < 2000; step += 1) assert.ok(distance(end + 1e-9 + step * end * 0.002) <= epsilon);
      }
    }
  }
  assert.equal(new Spring({ dampingRatio: 0, response: 1 }).settlingTime(), null);
  // With a slow spring, an earlier version never ended.
  for (const epsilon of [-1, 0, NaN]) assert.equal(typeof new Spring({ dampingRatio: 1, response: 60 }).settlingTime(epsilon), 'number');
});

test('Three conventions are converted as by the service, and others throw', () => {
  let count = 0;
  for (const { name, input, expect, tolerance } of casesOf('spring.convert')) {
    if (!isKnown(input)) continue;
    const spring = new Spring(input);
    for (const member of ['dampingRatio', 'response', 'bounce', 'mass', 'stiffness', 'damping', 'naturalFrequency']) {
      if (expect[member] !== undefined) near(spring[member], expect[member], tolerance, `${name}: ${member}`);
    }
    count += 1;
  }
  assert.ok(count >= 16, `${count} cases`);
  assert.throws(() => new Spring({ convention: 'origami', tension: 40, friction: 7 }), RangeError);
  for (const bad of [{ dampingRatio: -1, response: 1 }, { dampingRatio: 1, response: 0 }, { dampingRatio: 1 }, {}]) {
    assert.throws(() => new Spring(bad), RangeError);
  }
});

test('A duration is that of a convention only if its other names are', () => {
  for (const bad of [{ duration: 0.5, dampingRatio: 0.5 }, { duration: 0.5, damping: 0.5 }, { duration: 0.5, response: 0.3 }]) {
    assert.throws(() => new Spring(bad), RangeError, JSON.stringify(bad));
  }
  // The duration of a curve, as in the parameters of the service's `linear`.
  const { dampingRatio, response } = new Spring({ dampingRatio: 0.5, response: 0.3, duration: 2 });
  assert.deepEqual([dampingRatio, response], [0.5, 0.3]);
});

test('An interrupted spring continues with its velocity', () => {
  const spring = new Spring({ dampingRatio: 0.8, response: 0.3 });
  const caught = spring.value(0.1, { start: 0, target: 300 });
  const next = spring.retarget(0.1, { start: 0, target: 300, newTarget: -50 });
  const way = -50 - caught.value;
  near(next.at(0).velocity * way, caught.velocity, 1e-12, 'the velocity has no step');
});

/** Returns the largest distance of a printed `linear()` from its spring, on `times` times. */
function printedError(spring, { css, duration }, times = 20_000) {
  const stops = /^linear\((.*)\)$/.exec(css)[1].split(', ').map((stop) => stop.split(' '));
  const points = stops.map(([value, share]) => {
    return { value: Number(value), time: (Number.parseFloat(share) / 100) * duration };
  });
  assert.deepEqual([points[0], points.at(-1)], [{ value: 0, time: 0 }, { value: 1, time: duration }]);
  let [index, worst] = [0, 0];
  for (let step = 0; step <= times; step += 1) {
    const time = (duration * step) / times;
    while (points[index + 1].time < time && index < points.length - 2) index += 1;
    const [a, b] = [points[index], points[index + 1]];
    const printed = a.value + ((b.value - a.value) * (time - a.time)) / (b.time - a.time || 1);
    worst = Math.max(worst, Math.abs(printed - spring.position(time)));
  }
  return worst;
}

test('linear() has few stops, keyframes overshoot with their spring, and an endless one has neither', () => {
  for (const { name, input } of casesOf('css.linear')) assert.ok(new Spring(input).linear(input).stops < 100, name);
  const { keyframes, options } = new Spring({ duration: 0.5, bounce: 0.3 }).keyframes((x) => ({ opacity: x }));
  assert.ok(options.duration > 500 && keyframes[0].offset === 0 && keyframes.at(-1).offset === 1);
  assert.ok(keyframes.some(({ opacity }) => opacity > 1), 'it overshoots');
  assert.throws(() => new Spring({ dampingRatio: 0, response: 1 }).linear(), RangeError);
});

test('linear() refuses what the service refuses, and names the parameter and its range', () => {
  const parameters = { dampingRatio: 0.5, response: 0.3 };
  const refuses = (name, values, act) => {
    for (const value of values) {
      const message = new RegExp(`^\`${name}\` must be from .+ to .+`);
      assert.throws(() => act(value), { name: 'RangeError', message }, `${name} ${value}`);
    }
  };
  refuses('maxError', [0, 0.0004, 0.2, 2, -1, NaN, Infinity, null], (maxError) => new Spring(parameters).linear({ maxError }));
  refuses('duration', [0, 1e-7, 3601, -1, NaN, Infinity, null], (duration) => new Spring(parameters).linear({ duration }));
  refuses('initialVelocity', [1e7, -1e7, NaN, Infinity, -Infinity], (initialVelocity) =>
    new Spring({ ...parameters, initialVelocity }).linear());
  refuses('maxError', [0, NaN], (maxError) => new Spring(parameters).keyframes((x) => ({ opacity: x }), { maxError }));
});

test('linear() refuses a duration that ends away from the target, and accepts that of the service', () => {
  const spring = new Spring({ dampingRatio: 0.5, response: 0.3 });
  for (const duration of [0.05, 0.1, 0.4, 0.58]) {
    assert.throws(() => spring.linear({ duration }), { name: 'RangeError', message: /^`duration` ends 0\./ }, `${duration}`);
  }
  // The service asks for at least 0.585 s.
  for (const options of [{ duration: 0.585 }, { duration: 2 }, { maxError: 0.02, duration: 0.4 }]) {
    assert.ok(printedError(spring, spring.linear(options)) <= (options.maxError ?? 0.002));
  }
  assert.throws(() => new Spring({ dampingRatio: 0, response: 0.3 }).linear({ duration: 3 }), RangeError);
});

test('linear() keeps the error of a long curve, or refuses it', () => {
  for (const [parameters, maxError] of [
    [{ dampingRatio: 100, response: 0.3 }, 0.0005],
    [{ dampingRatio: 0.005, response: 0.3 }, 0.0005],
    [{ dampingRatio: 0.5, response: 0.3, initialVelocity: 1e5 }, 0.002],
  ]) {
    const spring = new Spring(parameters);
    const worst = printedError(spring, spring.linear({ maxError }), 1_000_000);
    assert.ok(worst <= maxError, `${JSON.stringify(parameters)}: ${worst} is above ${maxError}`);
  }
  for (const parameters of [{ dampingRatio: 0.0001 }, { dampingRatio: 0.5, initialVelocity: 1e6 }]) {
    const spring = new Spring({ response: 0.3, ...parameters });
    const message = /^`duration` must be from 0.000001 to /;
    assert.throws(() => spring.linear({ maxError: 0.0005 }), { name: 'RangeError', message });
  }
});

test('The error of what linear() prints is at most the given one, for any spring', () => {
  for (const dampingRatio of [0.02, 0.1, 0.3, 0.55, 0.8, 1, 1.5, 5]) {
    for (const response of [0.05, 0.3, 0.55, 2]) {
      for (const initialVelocity of [-30, 0, 4, 60]) {
        for (const maxError of [0.0005, 0.002, 0.05]) {
          const spring = new Spring({ dampingRatio, response, initialVelocity });
          const worst = printedError(spring, spring.linear({ maxError }));
          assert.ok(worst <= maxError, `${dampingRatio} ${response} ${initialVelocity}: ${worst} is above ${maxError}`);
        }
      }
    }
  }
});

test('A value in points starts with the velocity of the spring', () => {
  const spring = new Spring({ dampingRatio: 0.8, response: 0.4, initialVelocity: 3 });
  for (const time of [0, 0.05, 0.2, 1]) {
    const { value, velocity } = spring.value(time, { start: 100, target: 300 });
    near(value, 100 + 200 * spring.position(time), 1e-12, `${time}`);
    near(velocity, 200 * spring.at(time).velocity, 1e-12, `${time}, velocity`);
  }
  near(spring.value(0, { start: 0, target: 10, velocity: -5 }).velocity, -5, 1e-12, 'a given velocity counts');
});

test('Projection, rubber band and relative velocity are those of the article', () => {
  for (const { input, expect, name } of casesOf('projection.distance')) {
    near(project(input.velocity, input.decelerationRate), expect.wwdc, 1e-12, name);
  }
  for (const { input, expect, name } of casesOf('gesture.relativeVelocity')) {
    near(relativeVelocity(input.velocity, input.current, input.target), expect.relativeVelocity, 1e-12, name);
  }
  for (const { input, expect, name } of casesOf('rubberband')) {
    if (input.model === 'apple' && input.offset >= 0) near(rubberband(input.offset, input), expect.value, 1e-9, name);
  }
});
