// Prints answers.d.ts: the types of the service's answers that the client returns as they are, from `openapi.json`.

import { readFileSync } from 'node:fs';

const { paths, components } = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url)));
/** The operations whose answers and contents are printed, with all that they refer to. */
const OPERATIONS = /^\/v1\/(springs|rubberband|design-tokens$|gestures\/|status$)/;

const found = new Map();
const jsonOf = (message) => message?.content?.['application/json']?.schema;

function type(schema) {
  if (schema.$ref) return reference(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const { allOf, oneOf, anyOf = oneOf } = schema;
  if (anyOf) return anyOf.map(type).join(' | ');
  if (allOf) return allOf.map(type).join(' & ');
  return [schema.type ?? 'unknown'].flat().map((name) => plain(name, schema)).join(' | ');
}

function plain(name, { items, properties, required = [], additionalProperties: rest }) {
  if (name === 'integer') return 'number';
  if (name === 'array') return `(${type(items ?? {})})[]`;
  if (name !== 'object') return name;
  if (!properties) return `Record<string, ${typeof rest === 'object' ? type(rest) : 'unknown'}>`;
  const members = Object.entries(properties).map(([member, schema]) => {
    const key = /^\w+$/.test(member) ? member : JSON.stringify(member);
    return `${comment(schema)}${key}${required.includes(member) ? '' : '?'}: ${type(schema)};\n`;
  });
  return `{\n${members.join('')}}`;
}

/** The first sentence of a description. */
function comment({ description = '' }) {
  const [sentence] = description.replaceAll(/\s+/g, ' ').split(/(?<=\.) /);
  return sentence ? `/** ${sentence} */\n` : '';
}

function reference(path) {
  const name = path.split('/').at(-1);
  if (!found.has(name)) {
    found.set(name, '');
    const schema = components.schemas[name];
    found.set(name, `${comment(schema)}export type ${name} = ${type(schema)};`);
  }
  return name;
}

for (const [path, item] of Object.entries(paths)) {
  if (!OPERATIONS.test(path)) continue;
  for (const { requestBody, responses } of Object.values(item)) {
    for (const schema of [jsonOf(responses?.[200]), jsonOf(requestBody)]) if (schema) type(schema);
  }
}

console.log('// Made by script/bundle from openapi.json: the types of answers that the client returns as they are.\n');
let depth = 0;
for (const line of [...found].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, text]) => text.split('\n'))) {
  depth -= line.startsWith('}');
  console.log('  '.repeat(depth) + line);
  depth += line.endsWith('{');
}
