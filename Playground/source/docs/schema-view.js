// A schema as a list of members, with types, limits and descriptions. Nested schemas can be opened.

import { element } from '../shared/dom.js';
import { inline } from './prose.js';

const DEEPEST = 6;
const ANY_NAME = '(any name)';

/** Returns the members of a schema, or its allowed values if it has none. */
export function schemaView(contract, schema, depth = 0) {
  const resolved = contract.resolve(schema) ?? {};
  const parts = [
    ...(resolved.allOf ?? []),
    ...(resolved.oneOf ?? []),
    ...(resolved.anyOf ?? []),
  ].map((one) => contract.resolve(one));
  const all = [resolved, ...parts.filter((one) => one?.properties)];
  const required = new Set(all.flatMap((one) => one.required ?? []));
  const members = new Map(all.flatMap((one) => Object.entries(one.properties ?? {})));
  if (resolved.type === 'array' && resolved.items) return schemaView(contract, resolved.items, depth);
  // The schema of a map: the names are free, so one row stands for all members.
  const isMap = typeof resolved.additionalProperties === 'object';
  if (members.size === 0 && !isMap) {
    return element('p', { class: 'schema-plain' }, typeName(contract, resolved), ...described(resolved));
  }
  return element(
    'dl',
    { class: 'schema' },
    [
      ...[...members].map(
        ([name, member]) => memberView(contract, name, contract.resolve(member) ?? {}, required.has(name), depth),
      ),
      isMap ? memberView(contract, ANY_NAME, contract.resolve(resolved.additionalProperties), false, depth) : null,
    ],
  );
}

function memberView(contract, name, schema, isRequired, depth) {
  const nested = inner(contract, schema);
  return element(
    'div',
    {},
    element(
      'dt',
      {},
      element('code', {}, name),
      isRequired ? element('span', { class: 'required' }, 'required') : null,
    ),
    element(
      'dd',
      {},
      element('span', { class: 'type' }, typeName(contract, schema)),
      ...described(schema),
      nested && depth < DEEPEST ? lazyDetails('Members', () => schemaView(contract, nested, depth + 1)) : null,
    ),
  );
}

/** Returns the schema with members to open. */
function inner(contract, schema) {
  const one = contract.resolve(schema.type === 'array' ? schema.items : schema) ?? {};
  const has = (candidate) => {
    const { properties, additionalProperties } = contract.resolve(candidate) ?? {};
    return Boolean(properties) || typeof additionalProperties === 'object';
  };
  return has(one) || [...(one.oneOf ?? []), ...(one.allOf ?? []), ...(one.anyOf ?? [])].some(has) ? one : null;
}

/** Returns a type with its limits, such as `number, 0 to 100` or `array of Track`. */
export function typeName(contract, schema = {}) {
  const resolved = contract.resolve(schema) ?? {};
  if (resolved.const !== undefined) return JSON.stringify(resolved.const);
  if (resolved.enum) return resolved.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (!resolved.type && (resolved.oneOf ?? resolved.anyOf)) {
    return [...new Set((resolved.oneOf ?? resolved.anyOf).map((one) => typeName(contract, one)))].join(' | ');
  }
  const type = [resolved.type ?? 'object'].flat().join(' | ');
  if (typeof resolved.additionalProperties === 'object' && !resolved.properties) {
    return `map of ${typeName(contract, resolved.additionalProperties)}`;
  }
  if (type === 'array') return `array of ${typeName(contract, resolved.items ?? {})}`;
  const low = resolved.minimum ?? resolved.exclusiveMinimum;
  const high = resolved.maximum ?? resolved.exclusiveMaximum;
  const limits = [
    low !== undefined && high !== undefined ? `${low} to ${high}` : low !== undefined ? `${resolved.minimum === undefined ? 'above' : 'at least'} ${low}` : high !== undefined ? `at most ${high}` : '',
    lengths(resolved),
    resolved.default !== undefined ? `${JSON.stringify(resolved.default)} by default` : '',
  ];
  return [type, ...limits.filter(Boolean)].join(', ');
}

function described({ description }) {
  return description ? [element('span', { class: 'described' }, inline(description.trim().replace(/\s*\n\s*/g, ' ')))] : [];
}

/** Returns details that are filled when they are first opened. */
export function lazyDetails(title, fill) {
  const details = element('details', {}, element('summary', {}, title));
  details.addEventListener('toggle', () => details.open && details.children.length === 1 && details.append(fill()));
  return details;
}

function lengths({ minLength: least, maxLength: most }) {
  if (most) return `${least ?? 0} to ${most} characters`;
  if (!least) return '';
  return `at least ${least} ${least === 1 ? 'character' : 'characters'}`;
}
