// Checks the input of a bar by the rules of the contract and copies it; the copy is what the client sends.

import { Problem } from './problem.js';

/** The largest magnitude of a coordinate. */
const LIMIT = 1e9;
const PAN_STATES = ['possible', 'began', 'changed', 'ended', 'cancelled', 'failed'];
const NO_INSETS = { top: 0, left: 0, bottom: 0, right: 0 };

function refuse(pointer, detail, code = 'invalid-content') {
  throw Problem.refused(code, pointer, `must be ${detail}`);
}

/** Copies numbers. Those named in `lengths` must not be negative. */
function numbers(value, pointer, names, lengths = []) {
  const copy = {};
  for (const name of [...names, ...lengths]) {
    const number = value?.[name];
    // A comparison with NaN is false, so NaN is refused too.
    if (!(Math.abs(number) <= LIMIT)) refuse(`${pointer}/${name}`, 'must be a number from -1e9 to 1e9', 'out-of-range');
    if (number < 0 && lengths.includes(name)) refuse(`${pointer}/${name}`, 'must be 0 or more');
    // Adding zero turns -0 into 0, as JSON does.
    copy[name] = number + 0;
  }
  return copy;
}

/** The member of each type of event, under the name of the type. */
const geometry = {
  contentOffset: (value, pointer) => numbers(value, pointer, ['x', 'y']),
  contentSize: (value, pointer) => numbers(value, pointer, [], ['width', 'height']),
  frame: (value, pointer) => numbers(value, pointer, ['x', 'y'], ['width', 'height']),
  contentInset: (value, pointer) => numbers(value, pointer, Object.keys(NO_INSETS)),
};

/** Copies a scroll view with its geometry. Its id is `main` by default, and its insets are 0. */
function checkedScrollable({ id = 'main', contentInset = NO_INSETS, ...view } = {}) {
  if (!/^.{1,128}$/su.test(id)) refuse('/scrollable/id', 'must have 1 to 128 characters');
  const parts = Object.entries(geometry).map(([name, check]) => [
    name,
    check({ ...view, contentInset }[name], `/scrollable/${name}`),
  ]);
  return { id, ...Object.fromEntries(parts) };
}

/** Copies an event with the members of its type. */
export function checkedEvent({ type, on, state, velocity, scrollable, scrollableId, source, ...event }) {
  const copy = { type };
  if (Object.hasOwn(geometry, type)) copy[type] = geometry[type](event[type], `/${type}`);
  else if (type === 'set' || type === 'preconfigure') copy.scrollable = checkedScrollable(scrollable);
  else if (type === 'expand') copy.on = Boolean(on);
  else if (type !== 'panGesture') refuse('/type', 'must be a known type of event');
  else {
    if (!PAN_STATES.includes(state)) refuse('/state', `must be one of ${PAN_STATES}`);
    copy.state = state;
    if (velocity) copy.velocity = geometry.contentOffset(velocity, '/velocity');
  }
  if (source === 'animation') copy.source = source;
  if (scrollableId !== undefined) copy.scrollableId = scrollableId;
  return copy;
}

/** Copies the body of `POST /v1/bars`. Only the service checks tracks and options. */
export function checkedBody(body) {
  const names = ['compactStateHeight', 'normalStateHeight', 'expandedStateHeight'];
  const configuration = numbers(body.configuration, '/configuration', [], names);
  const [compact, normal, expanded] = names.map((name) => configuration[name]);
  if (compact > normal || normal > expanded) {
    refuse('/configuration', 'must be 0 ≤ compact ≤ normal ≤ expanded', 'heights-not-ascending');
  }
  return { ...body, configuration, scrollable: checkedScrollable(body.scrollable) };
}
