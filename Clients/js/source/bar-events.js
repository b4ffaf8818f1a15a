// Checks the input of a bar by the rules of the contract and copies it; the copy is what the client sends. The refusals
// are those of the service: `Tests/Vectors/refusals.json` has the cases that both refuse.

import { Problem } from './problem.js';

/**
 * The largest magnitudes of a coordinate and of a number that a bar computes, the most tracks of a bar, and the most
 * keyframes of a track.
 */
const [LIMIT, COMPUTED, TRACKS, KEYFRAMES] = [1e9, 1e12, 128, 64];

// A check takes a value and its JSON Pointer, and returns a copy.

function refuse(pointer, detail, code = 'invalid-content') {
  throw Problem.refused(code, pointer, detail);
}

const OUT = 'out-of-range';
const NAME = 'must have 1 to 128 characters';

const any = (value) => value;

/** Adding zero turns -0 into 0, as JSON does. */
const upTo = (limit) => (value, pointer) => {
  if (!Number.isFinite(value)) refuse(pointer, 'must be a number');
  if (Math.abs(value) > limit) refuse(pointer, `must be from -${limit} to ${limit}`, OUT);
  return value + 0;
};
const [number, computed] = [upTo(LIMIT), upTo(COMPUTED)];

const one = (isAllowed, rule, code, check = any) => (value, pointer) =>
  isAllowed(value = check(value, pointer)) ? value : refuse(pointer, rule, code);

/** Checks a number from `least` to `most`; with `isOpen`, above `least`. */
const within = (least, most, code, isOpen) =>
  one((value) => value <= most && (isOpen ? value > least : value >= least),
    `must be ${isOpen ? 'above' : 'from'} ${least} to ${most}`, code, number);

const boolean = one((value) => typeof value === 'boolean', 'must be true or false');
const choice = (...words) => one((value) => words.includes(value), `must be one of ${words.join(', ')}`);
/** JSON is UTF-8, in which half a surrogate pair cannot be sent. */
const text = (least) =>
  one((value) => typeof value === 'string' && value.length >= least && /^\P{Cs}{0,128}$/u.test(value), NAME);

const member = (pointer, name) => `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Returns the members of an object that JSON would have. */
function members(value, pointer) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) refuse(pointer, 'must be an object');
  return Object.entries(value).filter(([, inner]) => inner !== undefined);
}

/** Checks an object that has all of the `required` members, and may have the `optional` ones; copies them in this order. */
function object(required, optional) {
  const checks = { ...required, ...optional };
  return (value, pointer) => {
    const copy = {};
    for (const [name] of members(value, pointer)) Object.hasOwn(checks, name) || refuse(member(pointer, name), 'is not allowed');
    for (const name in required) value[name] === undefined && refuse(`${pointer}/${name}`, 'is missing');
    for (const name in checks) if (value[name] !== undefined) copy[name] = checks[name](value[name], `${pointer}/${name}`);
    return copy;
  };
}

const list = (check, least, most) => (value, pointer) => {
  if (!Array.isArray(value) || value.length < least || value.length > most) {
    refuse(pointer, `must be a list of ${least} to ${most}`);
  }
  return value.map((inner, index) => check(inner, `${pointer}/${index}`));
};

const length = within(0, LIMIT);
const point = object({ x: number, y: number });
const geometry = {
  contentOffset: point,
  contentSize: object({ width: length, height: length }),
  frame: object({ x: number, y: number, width: length, height: length }),
};
const contentInset = object({ top: number, left: number, bottom: number, right: number });
const view = object(geometry, { id: text(1), contentInset });

/** Copies a scroll view with its geometry. Its id is `main` by default, and its insets are 0. */
const scrollable = (value, pointer) => ({
  id: 'main',
  contentInset: { top: 0, left: 0, bottom: 0, right: 0 },
  ...view(value, pointer),
});

const common = { sequence: any, timestamp: any, scrollableId: text(0), source: choice('user', 'animation') };
const event = (required, optional) => object({ type: any, ...required }, { ...common, ...optional });
const pan = choice('possible', 'began', 'changed', 'ended', 'cancelled', 'failed');
const events = {
  contentOffset: event({ contentOffset: point }),
  contentSize: event({ contentSize: geometry.contentSize }),
  frame: event({ frame: geometry.frame }),
  contentInset: event({ contentInset }),
  panGesture: event({ state: pan }, { velocity: point }),
  expand: event({ on: boolean }),
  set: event({ scrollable }),
  preconfigure: event({ scrollable }),
};
const type = choice(...Object.keys(events));

/** Copies an event with the members of its type. Its number and its mark are the client's. */
export function checkedEvent(value) {
  members(value, '');
  const { sequence, timestamp, source, ...copy } = events[type(value.type, '/type')](value, '');
  return source === 'animation' ? { ...copy, source } : copy;
}

const range = (value, pointer) => {
  const copy = object({}, { value: number, range: list(number, 2, 2) })(value, pointer);
  return Object.keys(copy).length === 1 ? copy : refuse(pointer, 'must have value or range');
};
const ranges = object({ compactNormalRange: range, normalExpandedRange: range });
const progress = within(0, 2, OUT);
const keyframes = object({ keyframes: list(object({ progress, value: number }), 1, KEYFRAMES) });

function track(value, pointer) {
  if (value?.keyframes === undefined) return ranges(value, pointer);
  const copy = keyframes(value, pointer);
  copy.keyframes.reduce(
    (before, { progress: one }) => (one > before ? one : refuse(`${pointer}/keyframes`, 'must ascend')), -1,
  );
  return copy;
}

/** Copies tracks by name. With `isChange`, null removes a track, and all may be exchanged for others. */
export function checkedTracks(value, pointer = '', isChange = true) {
  const given = members(value, pointer);
  const most = isChange ? 2 * TRACKS : TRACKS;
  if (given.length > most) refuse(pointer, `must have at most ${most} tracks`);
  return Object.fromEntries(given.map(([name, inner]) => {
    const place = member(pointer, name);
    if (!/^[^\0-\x1f\x7f-\x9f\p{Cs}]{1,128}$/u.test(name)) refuse(place, NAME);
    return [name, inner === null && isChange ? null : track(inner, place)];
  }));
}

const height = within(0, LIMIT, 'heights-not-ascending');
const heights = object({ compactStateHeight: height, normalStateHeight: height, expandedStateHeight: height });

function configuration(value, pointer) {
  const copy = heights(value, pointer);
  const [compact, normal, expanded] = Object.values(copy);
  if (compact > normal || normal > expanded) {
    refuse(pointer, 'must ascend', 'heights-not-ascending');
  }
  return copy;
}

const place = object({ x: computed, y: computed });
const snapshot = object(
  {
    offset: computed,
    isExpandedStateAvailable: boolean,
    scrollable: object({
      ...geometry,
      id: text(1),
      contentOffset: place,
      contentInset: object({ top: computed, left: number, bottom: computed, right: number }),
    }),
    baseInsetBottom: computed,
  },
  { previousContentOffset: place, previousContentSize: geometry.contentSize },
);
const body = object(
  { configuration },
  {
    scrollable,
    snapshot,
    feedback: choice('applied', 'echoed'),
    tracks: (value, pointer) => checkedTracks(value, pointer, false),
    ttlSeconds: one(Number.isInteger, 'must be an integer', undefined, within(10, 86_400)),
    options: object({}, {
      snap: choice('nearest', 'projected', 'none'),
      decelerationRate: one(
        (value) => value === 'normal' || value === 'fast' || (typeof value === 'number' && value > 0 && value < 1),
        'must be normal, fast or between 0 and 1',
      ),
      snapSequential: boolean,
      snapOnCancel: boolean,
      clampTargets: boolean,
      reopen: choice('anywhere', 'top'),
      tolerance: within(0, LIMIT, OUT),
      resistance: object({ dimension: within(0, LIMIT, OUT, true) }, { constant: within(0, 1, OUT, true) }),
      fixes: list(
        choice('primeOnAttach', 'overscroll', 'clearExpandedOnCollapse', 'contentSizeRatchet', 'baseInset'), 0, Infinity,
      ),
    }),
  },
);

/** Copies the body of `POST /v1/bars`. */
export function checkedBody(value) {
  const copy = body(value, '');
  if (!copy.scrollable === !copy.snapshot) refuse('/scrollable', 'must be there, or snapshot');
  return copy;
}

/** Copies a snapshot as a creation accepts it: sums beyond the limit become the limit. */
export const limited = (snapshot) => JSON.parse(JSON.stringify(snapshot), (name, value) =>
  typeof value === 'number' ? Math.max(-COMPUTED, Math.min(COMPUTED, value)) : value);
