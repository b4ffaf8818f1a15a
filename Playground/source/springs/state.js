// The lab's state is part of the page's address, so that a link restores it.

import { meaning } from './conventions.js';
import { hasParameter, isConvention } from './parameters.js';

export const defaults = {
  a: { convention: 'wwdc', parameters: { dampingRatio: 0.6, response: 0.4 } },
  b: null,
  initialVelocity: 0,
  maxError: 0.002,
};

/** The springs that a comparison starts from: presets of SwiftUI. */
const COMPARED = [0.3, 0.15].map((bounce) => ({ convention: 'swiftui.durationBounce', parameters: { duration: 0.5, bounce } }));

/** Returns a preset to compare a spring with, which is another spring. */
export function otherThan(spring) {
  return COMPARED.find((one) => !isSame(one, spring));
}

function isSame(one, other) {
  const [first, second] = [meaning(one), meaning(other)];
  return second !== null && ['dampingRatio', 'response'].every((name) => Math.abs(first[name] - second[name]) < 1e-9);
}

/** Returns whether an address contains a spring. */
export function isShared(search) {
  return new URLSearchParams(search).has('convention');
}

/** Returns the parameters of `GET /v1/springs` for a spring of the state. */
export function query(spring, initialVelocity) {
  const parameters = { convention: spring.convention, ...spring.parameters };
  return initialVelocity === 0 ? parameters : { ...parameters, initialVelocity };
}

/** Returns the state of an address, with defaults for missing values. */
export function read(search) {
  const given = new URLSearchParams(search);
  const a = spring(given, '');
  return {
    a: a ?? defaults.a,
    b: spring(given, 'b.'),
    initialVelocity: number(given.get('initialVelocity'), defaults.initialVelocity),
    maxError: number(given.get('maxError'), defaults.maxError),
  };
}

/** Returns the address of a state, without a fragment. */
export function write({ a, b, initialVelocity, maxError }) {
  const search = new URLSearchParams({ convention: a.convention, ...a.parameters });
  if (initialVelocity !== defaults.initialVelocity) search.set('initialVelocity', initialVelocity);
  if (maxError !== defaults.maxError) search.set('maxError', maxError);
  if (b) for (const [name, value] of Object.entries(query(b, 0))) search.set(`b.${name}`, value);
  return `?${search}`;
}

/** Returns the spring of an address; null if there is none. Only numbers and switches of its convention are read. */
function spring(given, prefix) {
  const convention = given.get(`${prefix}convention`);
  if (!isConvention(convention)) return null;
  const parameters = {};
  for (const [key, text] of given) {
    if (!key.startsWith(prefix) || !hasParameter(convention, key.slice(prefix.length))) continue;
    const value = text === 'true' ? true : text === 'false' ? false : Number(text);
    if (!Number.isNaN(value)) parameters[key.slice(prefix.length)] = value;
  }
  return { convention, parameters };
}

function number(text, fallback) {
  const value = Number(text);
  return text !== null && Number.isFinite(value) ? value : fallback;
}
