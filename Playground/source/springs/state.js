// The lab's state is part of the page's address, so that a link restores it.

export const defaults = {
  a: { convention: 'wwdc', parameters: { dampingRatio: 0.6, response: 0.4 } },
  b: null,
  initialVelocity: 0,
  maxError: 0.002,
};

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

const OWN = new Set(['convention', 'initialVelocity', 'maxError']);

function spring(given, prefix) {
  const convention = given.get(`${prefix}convention`);
  if (convention === null) return null;
  const parameters = {};
  for (const [key, value] of given) {
    if (!key.startsWith(prefix)) continue;
    const name = key.slice(prefix.length);
    if (OWN.has(name) || name.startsWith('b.')) continue;
    parameters[name] = value === 'true' ? true : value === 'false' ? false : Number(value);
  }
  return { convention, parameters };
}

function number(text, fallback) {
  const value = Number(text);
  return text === null || Number.isNaN(value) ? fallback : value;
}
