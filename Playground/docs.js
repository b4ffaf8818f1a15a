// Made by script/playground from source/docs of Playground/source, where the comments are.
import { askForToken, copyButton, curl, element, exchanges, figure, part, pretty, springbar } from '/playground/shared.js';
const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g;
export function prose(text) {
  return (text ?? '').trim().split(/\n\s*\n/).filter(Boolean).map(block);
}
export function inline(text) {
  const nodes = [];
  let end = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, code, strong, label, address] = found;
    nodes.push(text.slice(end, found.index));
    if (code !== undefined) nodes.push(element('code', {}, code));
    else if (strong !== undefined) nodes.push(element('strong', {}, strong));
    else nodes.push(
      /^(https?:|\/|#)/.test(address) ? element('a', { href: address, rel: 'noreferrer' }, label) : label,
    );
    end = found.index + whole.length;
  }
  return [...nodes, text.slice(end)].filter((node) => node !== '');
}
function block(text) {
  const heading = /^#+ (.*)$/.exec(text);
  if (heading) return element('h3', {}, inline(heading[1]));
  if (/^\s*([-*]|\d+\.) /.test(text)) {
    const items = text.split(/\n(?=\s*(?:[-*]|\d+\.) )/).map(
      (item) => item.replace(/^\s*([-*]|\d+\.) /, '').replace(/\s*\n\s*/g, ' '),
    );
    return element('ul', { class: 'bullets' }, items.map((item) => element('li', {}, inline(item))));
  }
  if (/^(```|\|)/.test(text)) return element('pre', { tabindex: '0' }, text.replace(/^```\w*\n|\n```$/g, ''));
  return element('p', {}, inline(text.replace(/\n/g, ' ')));
}
const SHOWN = 20_000;
const DRAWING = 'image/svg+xml';
const BAR = 'springbar.docs.bar';
let token = null;
export function tryIt(contract, operation) {
  const { method, parameters, body } = operation;
  const fields = parameters.filter(
    (one) => ['path', 'query'].includes(one.in) || one.name === 'If-Match',
  ).map((one) => field(contract, operation, one));
  const content = body && element('textarea', { rows: '10', spellcheck: 'false', 'aria-label': 'Content' });
  if (content) content.value = exampleBody(contract, body);
  const output = element('div', { class: 'try-output', 'aria-live': 'polite' });
  const send = element('button', { type: 'submit', class: 'button is-strong' }, 'Send');
  const form = element(
    'form',
    { class: 'try', 'aria-label': 'Try it' },
    element('h2', {}, 'Try it'),
    ...fields.map(({ node }) => node),
    content ? element('label', { class: 'field' }, 'Content', content) : null,
    element(
      'div',
      { class: 'try-actions' },
      send,
      copyButton('the request as curl', () => curl(request()), 'Copy as curl'),
    ),
    output,
  );
  function request() {
    let path = operation.path;
    const query = new URLSearchParams();
    const headers = { Accept: accepted(operation) };
    for (const { parameter, input } of fields) {
      if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
      else if (input.value !== '') {
        if (parameter.in === 'query') query.append(parameter.name, input.value);
        else headers[parameter.name] = input.value;
      }
    }
    if (content) headers['Content-Type'] = 'application/json';
    if (token) headers.Authorization = `Bearer ${token}`;
    return { method, target: path + (String(query) && `?${query}`), headers, body: content?.value };
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    send.disabled = true;
    const asked = request();
    const isTurning = output.contains(document.activeElement);
    let turn = null;
    try {
      turn = offerNextPage(await answer(asked, output));
    } finally {
      send.disabled = false;
      if (isTurning) (turn ?? send).focus();
    }
  });
  function offerNextPage(text) {
    const cursor = fields.find(({ parameter }) => parameter.name === 'cursor');
    const next = cursor && /"nextCursor":"([^"]+)"/.exec(text)?.[1];
    if (!next) return null;
    const turnPage = () => {
      cursor.input.value = next;
      for (const { parameter, input } of fields) if (['page', 'perPage'].includes(parameter.name)) input.value = '';
      form.requestSubmit();
    };
    const button = element('button', { type: 'button', class: 'copy', onclick: turnPage }, 'Next page');
    output.firstElementChild.append(button);
    return button;
  }
  return form;
}
async function answer(asked, output) {
  const types = asked.headers.Accept;
  const began = performance.now();
  if (types.startsWith('image/') && types !== DRAWING) {
    const image = element('img', { alt: 'The answer', src: asked.target });
    image.addEventListener(
      'error',
      () => output.replaceChildren(
        element('p', { class: 'message' }, 'The picture did not load. The id may be unknown.'),
      ),
    );
    return output.replaceChildren(image);
  }
  if (types.startsWith('text/event-stream')) return stream(asked.target, output);
  try {
    const response = await exchanges.fetch(asked.target, asked);
    const text = await response.text();
    if (response.status === 401 && (token = await askForToken())) {
      return answer({ ...asked, headers: { ...asked.headers, Authorization: `Bearer ${token}` } }, output);
    }
    if (asked.method === 'POST' && asked.target === '/v1/bars' && response.ok) remember(JSON.parse(text).id);
    if (asked.method === 'DELETE' && response.ok && asked.target === `/v1/bars/${remembered()}`) forget();
    const problem = !response.ok && /"type":"(\/problems\/[a-z-]+)"/.exec(text)?.[1];
    output.replaceChildren(
      element(
        'p',
        { class: response.ok ? 'try-status' : 'try-status is-wrong' },
        `${response.status} in ${(performance.now() - began).toFixed(1)} ms`,
        problem ? element('a', { href: problem }, 'What it means') : null,
      ),
      response.ok && types === DRAWING ? element(
        'img',
        { alt: 'The answer', src: `data:${DRAWING},${encodeURIComponent(text)}` },
      ) : element('pre', { tabindex: '0' }, pretty(text).slice(0, SHOWN) || 'No content'),
    );
    return text;
  } catch {
    output.replaceChildren(
      element('p', { class: 'message' }, 'The service does not answer. Check that it runs, then send again.'),
    );
  }
}
function stream(target, output) {
  const lines = element('pre', { tabindex: '0' }, 'Connecting');
  const began = performance.now();
  const source = exchanges.stream(target);
  const stop = element('button', { type: 'button', class: 'button', onclick: () => source.close() }, 'Stop');
  output.replaceChildren(stop, lines);
  lines.textContent = '';
  for (const name of ['state', 'end']) {
    source.addEventListener(
      name,
      ({ data, lastEventId }) => lines.append(`event: ${name}\nid: ${lastEventId}\n${pretty(data)}\n\n`),
    );
  }
  const opened = () => {
    stop.before(element('p', { class: 'try-status' }, `200 in ${(performance.now() - began).toFixed(1)} ms`));
  };
  source.addEventListener('open', opened, { once: true });
  source.addEventListener(
    'error',
    () => lines.append(source.readyState === EventSource.CLOSED ? 'Closed.\n' : 'Reconnecting.\n'),
  );
}
function field(contract, operation, parameter) {
  const schema = contract.resolve(parameter.schema) ?? {};
  const choices = schema.enum ?? (schema.type === 'boolean' ? [true, false] : null);
  const input = choices
    ? element(
      'select',
      {},
      parameter.required ? null : element('option', { value: '' }, '–'),
      ...choices.map((one) => element('option', {}, String(one))),
    )
    : element('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' });
  input.value = example(contract, operation, parameter);
  const text = `${parameter.name}${parameter.required ? '' : ' (optional)'}`;
  return { parameter, input, node: element('label', { class: 'field' }, text, input) };
}
function example(contract, operation, parameter) {
  const target = exampleTarget(contract, operation);
  if (parameter.in === 'query' && target) return new URLSearchParams(target.split('?')[1] ?? '').get(parameter.name) ?? '';
  if (parameter.in === 'path' && operation.path.startsWith('/v1/bars/') && remembered()) return remembered();
  const names = operation.path.split('/');
  const place = names.indexOf(`{${parameter.name}}`);
  const found = parameter.in === 'path' && target ? target.split('?')[0].split('/')[place] : null;
  const own = parameter.example ?? Object.values(parameter.examples ?? {})[0]?.value;
  const value = found && !found.includes('{') ? found : parameter.required ? own : '';
  return value === undefined || value === null ? '' : String(value);
}
function exampleTarget(contract, { responses }) {
  const success = responses.find(({ status }) => status.startsWith('2'));
  const examples = Object.values(success?.content ?? {}).flatMap((one) => Object.values(one.examples ?? {}));
  return examples.map((one) => contract.resolve(one)['x-request']?.target).find(Boolean);
}
function exampleBody(contract, body) {
  const examples = Object.values(
    body.content?.['application/json']?.examples ?? {},
  ).map((one) => contract.resolve(one));
  return examples.length > 0 ? JSON.stringify(examples[0].value, null, 2) : '{}';
}
function accepted({ responses }) {
  const success = responses.find(({ status }) => status.startsWith('2'));
  const [type = 'application/json'] = Object.keys(success?.content ?? {});
  return type.startsWith('image') || type === 'text/event-stream' ? type : `${type}, application/problem+json`;
}
function remember(id) {
  try {
    sessionStorage.setItem(BAR, id);
  } catch {
  }
}
function forget() {
  sessionStorage.removeItem(BAR);
}
function remembered() {
  try {
    return sessionStorage.getItem(BAR);
  } catch {
    return null;
  }
}
const PLAIN_KEY = /^(?:[^\s"'#{}[\],&*!|>%@`-]|-(?=\S))[^\n]*?(?=:(?:\s|$))/;
export function parseYAML(text) {
  const reader = new Reader(text);
  reader.skip();
  return reader.node(-1);
}
class Reader {
  #text;
  #at = 0;
  constructor(text) {
    this.#text = text.endsWith('\n') ? text : `${text}\n`;
  }
  skip() {
    const blank = /(?:[ \n]|#[^\n]*)*/y;
    blank.lastIndex = this.#at;
    this.#at += blank.exec(this.#text)[0].length;
    return this.#at >= this.#text.length ? -1 : this.#column;
  }
  node(parent) {
    if (/^-(\s|$)/.test(this.#rest)) return this.#sequence(this.#column);
    if (this.#key(false)) return this.#map(this.#column);
    return this.#scalar(parent);
  }
  get #column() {
    return this.#at - (this.#text.lastIndexOf('\n', this.#at - 1) + 1);
  }
  get #rest() {
    return this.#text.slice(this.#at, this.#text.indexOf('\n', this.#at));
  }
  #take(pattern) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at += found[0].length;
    return found;
  }
  #scalar(parent) {
    const first = this.#text[this.#at];
    if (first === '{' || first === '[') return this.#flow();
    if (first === '"' || first === "'") return this.#quoted();
    if (first === '|' || first === '>') return this.#block(parent);
    const lines = [this.#take(/(?:(?! #)[^\n])*/y)[0].trimEnd()];
    for (;;) {
      const start = this.#at;
      const isEnd = this.skip() <= parent || /^-\s/.test(this.#rest) || this.#key(false) || this.#text.slice(start, this.#at).includes('#');
      if (isEnd) {
        this.#at = start;
        return resolved(lines.join(' '));
      }
      lines.push(this.#take(/(?:(?! #)[^\n])*/y)[0].trimEnd());
    }
  }
  #key(isTaken) {
    const start = this.#at;
    let key = null;
    if ('"\''.includes(this.#text[start])) key = this.#quoted();
    else {
      const plain = PLAIN_KEY.exec(this.#rest);
      if (plain && !plain[0].includes(' #')) [key] = [plain[0].trimEnd(), (this.#at += plain[0].length)];
    }
    const colon = key === null ? null : this.#take(/:(?=\s)/y);
    if (!colon || !isTaken) this.#at = start;
    return colon ? { key: String(key) } : null;
  }
  #map(column) {
    const map = {};
    while (this.skip() === column) {
      const { key } = this.#key(true) ?? this.#fail();
      map[key] = this.#value(column);
      const start = this.#at;
      if (this.skip() !== column) {
        this.#at = start;
        break;
      }
    }
    return map;
  }
  #value(column) {
    this.#take(/ */y);
    if (!/^(#|$)/.test(this.#rest)) return this.#scalar(column);
    const start = this.#at;
    const next = this.skip();
    if (next > column) return this.node(column);
    if (next === column && /^-(\s|$)/.test(this.#rest)) return this.node(column - 1);
    this.#at = start;
    return null;
  }
  #sequence(column) {
    const items = [];
    for (;;) {
      this.#take(/- */y);
      if (/^(#|$)/.test(this.#rest)) {
        const next = this.skip();
        items.push(next > column ? this.node(column) : null);
      } else items.push(this.node(column));
      const start = this.#at;
      if (this.skip() !== column || !/^-(\s|$)/.test(this.#rest)) {
        this.#at = start;
        return items;
      }
    }
  }
  #flow() {
    const isMap = this.#text[this.#at] === '{';
    const [end, result] = [isMap ? '}' : ']', isMap ? {} : []];
    this.#at += 1;
    for (;;) {
      this.skip();
      if (this.#text[this.#at] === end) break;
      const item = this.#flowItem();
      this.skip();
      if (isMap) {
        const hasValue = this.#take(/:/y) !== null;
        this.skip();
        result[item] = hasValue ? this.#flowItem() : null;
        this.skip();
      } else result.push(item);
      this.#take(/,/y);
    }
    this.#at += 1;
    return result;
  }
  #flowItem() {
    if ('{['.includes(this.#text[this.#at])) return this.#flow();
    if ('"\''.includes(this.#text[this.#at])) return this.#quoted();
    const [text] = this.#take(/(?:[^,:{}[\]#\n]|:(?=[^\s,}\]])|(?<! )#|\n\s*(?=[^\s,}\]]))*/y);
    return resolved(text.trim().replace(/\s*\n\s*/g, ' '));
  }
  #quoted() {
    if (this.#text[this.#at] === "'") {
      const [, text] = this.#take(/'((?:[^']|'')*)'/y) ?? this.#fail();
      return folded(text).replaceAll("''", "'");
    }
    const [, text] = this.#take(/"((?:[^"\\]|\\[^])*)"/y) ?? this.#fail();
    const escapes = (whole, one) => (one.startsWith('\n') ? '' : one === ' ' ? '\\u0020' : whole);
    return JSON.parse(`"${folded(text.replace(/\\(\n\s*|[^])/g, escapes))}"`);
  }
  #block(parent) {
    const [, kind, chomp] = this.#take(/([|>])([+-]?)[^\n]*\n/y) ?? this.#fail();
    const lines = [];
    let indent = 0;
    while (this.#at < this.#text.length) {
      const line = this.#rest;
      const own = line.search(/\S/);
      if (own >= 0 && indent === 0) indent = own;
      if (own >= 0 && (own <= parent || own < indent)) break;
      lines.push(line.slice(indent));
      this.#at += line.length + 1;
    }
    const [text, rest] = /^([^]*?)(\n*)$/.exec(lines.join('\n')).slice(1);
    const content = kind === '|' ? text : text.replace(/([^\n])\n(?=[^\n ])/g, '$1 ').replace(/\n(\n+)/g, '$1');
    this.#at -= 1;
    if (chomp === '-') return content;
    return chomp === '+' ? `${content}${rest}\n` : `${content}\n`;
  }
  #fail() {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    throw new SyntaxError(`line ${line} of the contract cannot be read`);
  }
}
function folded(text) {
  return text.replace(/[ \t]*\n[ \t]*/g, ' ');
}
function resolved(text) {
  if (/^(|~|null)$/.test(text)) return null;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text) ? Number(text) : text;
}
export async function problemsView() {
  const { problems } = await springbar.connection.get('/problems');
  return [
    element('h1', {}, 'Problems'),
    element('p', { class: 'quiet' }, 'Every error answer has a type that leads to one of these pages.'),
    element('ul', { class: 'problem-list' }, problems.map(({ code, status, title, type }) =>
      element(
        'li',
        {},
        element(
          'a',
          { href: type },
          element('span', { class: 'status-code is-wrong' }, String(status)),
          element('code', {}, code),
          element('span', {}, title),
        ),
      ),
    )),
  ];
}
export async function problemView(path) {
  const { code, status, title, explanation } = await springbar.connection.get(path);
  return [
    element(
      'p',
      { class: 'operation-line' },
      element('span', { class: 'status-code is-wrong' }, String(status)),
      element('code', {}, code),
    ),
    element('h1', {}, title.replace(/\.$/, '')),
    element('p', {}, ...inline(explanation)),
    element('p', {}, element('a', { href: '/problems' }, 'All problems')),
  ];
}
export async function statusView() {
  const { version, uptimeSeconds, draining, bars, photos } = await springbar.status();
  const { budget, imageCache } = photos;
  const rows = [
    ['Version', version],
    [
      'Running for',
      uptimeSeconds < 5400 ? `${Math.round(uptimeSeconds / 60)} min` : `${figure(uptimeSeconds / 3600, 1)} h`,
    ],
    ['State', draining ? 'draining: it finishes what it has, then stops' : 'ready'],
    ['Bars', `${bars.sessions} of ${bars.maxSessions}`],
    ['Photo library', `${photos.library}, ${photos.upstream}`],
    [
      'Calls left this hour',
      `${budget.remaining} of ${budget.limit}, resets in ${Math.ceil(budget.resetsInSeconds / 60)} min`,
    ],
    [
      'Pictures cached',
      `${imageCache.entries}, ${figure(imageCache.bytes / 1e6, 1)} of ${figure(imageCache.maxBytes / 1e6, 1)} MB`,
    ],
    ['Cache hits', `${imageCache.hits} of ${imageCache.hits + imageCache.misses}`],
  ];
  return [
    element('h1', {}, 'Status'),
    element(
      'dl',
      { class: 'schema' },
      rows.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
    ),
    element(
      'p',
      { class: 'quiet' },
      'Programs get this as JSON at the same address; counters are at ',
      element('a', { href: '/metrics' }, '/metrics'),
      '.',
    ),
  ];
}
const DEEPEST = 6;
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
  if (members.size === 0) {
    return element('p', { class: 'schema-plain' }, typeName(contract, resolved), ...described(resolved));
  }
  return element(
    'dl',
    { class: 'schema' },
    [...members].map(
      ([name, member]) => memberView(contract, name, contract.resolve(member) ?? {}, required.has(name), depth),
    ),
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
function inner(contract, schema) {
  const one = contract.resolve(schema.type === 'array' ? schema.items : schema) ?? {};
  const has = (candidate) => Boolean(contract.resolve(candidate)?.properties);
  return has(one) || [...(one.oneOf ?? []), ...(one.allOf ?? []), ...(one.anyOf ?? [])].some(has) ? one : null;
}
export function typeName(contract, schema = {}) {
  const resolved = contract.resolve(schema) ?? {};
  if (resolved.const !== undefined) return JSON.stringify(resolved.const);
  if (resolved.enum) return resolved.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (!resolved.type && (resolved.oneOf ?? resolved.anyOf)) {
    return [...new Set((resolved.oneOf ?? resolved.anyOf).map((one) => typeName(contract, one)))].join(' | ');
  }
  const type = [resolved.type ?? 'object'].flat().join(' | ');
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
const METHODS = ['get', 'post', 'put', 'delete'];
export class Contract {
  #document;
  operations;
  static async load() {
    const response = await fetch('/openapi.yaml');
    if (!response.ok) throw new Error(`The contract answered ${response.status}.`);
    return new Contract(parseYAML(await response.text()));
  }
  constructor(document) {
    this.#document = document;
    this.operations = Object.entries(document.paths).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => this.#operation(method, path, item)),
    );
  }
  get info() {
    return this.#document.info;
  }
  get tags() {
    return [...new Set(this.operations.map(({ tag }) => tag))];
  }
  find(name) {
    const [, method, path] = /^([A-Z]+)(\/.*)$/.exec(name) ?? [];
    if (!method) return this.operations.find(({ id }) => id === name);
    const exact = this.operations.find((one) => one.method === method && one.path === path);
    return exact ?? this.operations.find((one) => one.method === method && one.pattern.test(path));
  }
  resolve(value) {
    if (typeof value?.$ref !== 'string') return value;
    const keys = value.$ref.slice(2).split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    return this.resolve(keys.reduce((node, key) => node?.[key], this.#document));
  }
  #operation(method, path, item) {
    const operation = item[method];
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) => this.resolve(one));
    return {
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
      tag: operation.tags?.[0] ?? 'Other',
      summary: operation.summary ?? operation.operationId,
      description: operation.description ?? '',
      parameters,
      body: this.resolve(operation.requestBody),
      responses: Object.entries(operation.responses).map(
        ([status, response]) => ({ status, ...this.resolve(response) }),
      ),
    };
  }
}
export function operationView(contract, operation) {
  const { id, method, path, summary, description, parameters, body, responses } = operation;
  return [
    element(
      'p',
      { class: 'operation-line' },
      element('span', { class: `method is-${method.toLowerCase()}` }, method),
      element('code', {}, path),
    ),
    element('h1', { id: 'title' }, inline(summary.replace(/\.$/, ''))),
    element('p', { class: 'quiet' }, 'Operation ', element('code', {}, id)),
    ...prose(description),
    tryIt(contract, operation),
    parameters.length > 0 ? element(
      'section',
      {},
      element('h2', {}, 'Parameters'),
      parameterTable(contract, parameters),
    ) : null,
    body ? element(
      'section',
      {},
      element('h2', {}, 'Content'),
      ...prose(body.description),
      ...contents(contract, body.content),
    ) : null,
    element(
      'section',
      {},
      element('h2', {}, 'Answers'),
      ...responses.map((response) => responseView(contract, response)),
    ),
  ].filter(Boolean);
}
function parameterTable(contract, parameters) {
  return element(
    'dl',
    { class: 'schema' },
    parameters.map((parameter) =>
      element(
        'div',
        {},
        element(
          'dt',
          {},
          element('code', {}, parameter.name),
          parameter.required ? element('span', { class: 'required' }, 'required') : null,
        ),
        element(
          'dd',
          {},
          element('span', { class: 'type' }, `${parameter.in}, ${typeName(contract, parameter.schema)}`),
          parameter.description ? element(
            'span',
            { class: 'described' },
            inline(parameter.description.trim().replace(/\s*\n\s*/g, ' ')),
          ) : null,
        ),
      ),
    ),
  );
}
function contents(contract, content = {}) {
  return Object.entries(content).flatMap(([type, { schema, examples = {} }]) => [
    element('p', { class: 'media-type' }, element('code', {}, type)),
    schema ? schemaView(contract, schema) : null,
    ...Object.values(examples).map(
      (example) => contract.resolve(example),
    ).filter(({ value }) => value !== undefined).map((example) =>
      lazyDetails(`Example: ${example.summary ?? 'content'}`, () =>
        element(
          'pre',
          { tabindex: '0' },
          typeof example.value === 'string' ? example.value : JSON.stringify(example.value, null, 2),
        ),
      ),
    ),
  ].filter(Boolean));
}
function responseView(contract, { status, description, content, headers }) {
  const details = element(
    'details',
    { class: 'answer', open: status.startsWith('2') },
    element(
      'summary',
      {},
      element('span', { class: status < '400' ? 'status-code' : 'status-code is-wrong' }, status),
      element('span', {}, ...inline((description ?? '').trim().replace(/\s*\n\s*/g, ' '))),
    ),
    headers ? element(
      'p',
      { class: 'quiet' },
      'Fields: ',
      ...inline(Object.keys(headers).map((name) => `\`${name}\``).join(', ')),
    ) : null,
    ...contents(contract, content),
  );
  return details;
}
const content = part(document, 'content');
const index = part(document, 'index');
const search = part(document, 'search');
function fill(title, nodes) {
  content.replaceChildren(...nodes);
  content.setAttribute('aria-busy', 'false');
  document.title = `${title} · Springbar`;
}
function overview(contract) {
  return [
    element('h1', {}, 'Reference'),
    ...prose(contract.info.description),
    ...contract.tags.map((tag) =>
      element(
        'section',
        {},
        element('h2', {}, tag),
        element('ul', { class: 'operations' }, contract.operations.filter((one) => one.tag === tag).map(entry)),
      ),
    ),
  ];
}
function entry({ id, method, path, summary }) {
  return element(
    'li',
    {},
    element(
      'a',
      { href: `/docs#${id}` },
      element('span', { class: `method is-${method.toLowerCase()}` }, method),
      element('code', {}, path),
      element('span', { class: 'entry-summary' }, summary),
    ),
  );
}
function showIndex(contract, problems, wanted) {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (...texts) => words.every((word) => texts.join(' ').toLowerCase().includes(word));
  const groups = contract.tags.map((tag) => [
    tag,
    contract.operations
      .filter(
        (one) => one.tag === tag && fits(
          one.id,
          one.method,
          one.path,
          one.summary,
          one.description,
          ...one.parameters.map(({ name }) => name),
          ...one.responses.map(({ status }) => status),
        ),
      )
      .map(
        ({ id, method, path }) => element(
          'a',
          { href: `/docs#${id}`, dataset: { id } },
          element('span', { class: `method is-${method.toLowerCase()}` }, method),
          element('code', {}, path),
        ),
      ),
  ]);
  const found = problems
    .filter(({ code, status, title }) => fits(code, String(status), title))
    .map(
      ({ code, status, type }) => element(
        'a',
        { href: type, dataset: { id: type } },
        element('span', { class: 'method is-problem' }, String(status)),
        element('code', {}, code),
      ),
    );
  const isBeside = matchMedia('(min-width: 860px)').matches;
  const filled = [...groups, ['Problems', found]].filter(([, links]) => links.length > 0);
  index.replaceChildren(
    ...filled.map(
      ([title, links]) => element(
        'details',
        { open: words.length > 0 || (isBeside && title !== 'Problems') },
        element('summary', {}, `${title} (${links.length})`),
        element('ul', {}, links.map((link) => element('li', {}, link))),
      ),
    ),
    ...(filled.length > 0
      ? []
      : [element('p', { class: 'quiet' }, 'Nothing fits. Try a path, a status, or a parameter.')]),
  );
  mark();
}
function mark() {
  const current = location.pathname === '/docs' ? shownOperation : location.pathname;
  for (const link of index.querySelectorAll('a')) {
    if (link.dataset.id === current) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}
let shownOperation = null;
async function showPage(contract) {
  const { pathname, hash } = location;
  if (pathname === '/problems') return fill('Problems', await problemsView());
  if (pathname.startsWith('/problems/')) return fill('Problem', await problemView(pathname));
  if (pathname === '/v1/status') return fill('Status', await statusView());
  const name = decodeURIComponent(hash.slice(1));
  const operation = name && contract.find(name);
  shownOperation = operation?.id ?? null;
  if (!operation) return fill('Reference', overview(contract));
  fill(operation.summary, operationView(contract, operation));
  mark();
  scrollTo(0, 0);
}
async function start() {
  try {
    const [contract, { problems }] = await Promise.all([Contract.load(), springbar.connection.get('/problems')]);
    await showPage(contract);
    showIndex(contract, problems, search.value);
    search.addEventListener('input', () => showIndex(contract, problems, search.value));
    window.addEventListener('hashchange', () => showPage(contract));
  } catch (error) {
    const retry = element('button', { type: 'button', class: 'button', onclick: start }, 'Try again');
    fill(
      'Reference',
      [
        element('h1', {}, 'Reference'),
        element('p', { class: 'message', role: 'alert' }, `The page could not be loaded: ${error.message} `),
        retry,
      ],
    );
  }
}
start();
