// A form that sends a request of an operation to this service.

import { copyButton } from '../shared/copy-button.js';
import { element } from '../shared/dom.js';
import { curl, pretty } from '../shared/exchanges.js';
import { exchanges } from '../shared/service.js';
import { askForToken } from '../shared/token.js';

const SHOWN = 20_000;
const DRAWING = 'image/svg+xml';
const BAR = 'springbar.docs.bar';
let token = null;

/** Returns the form of an operation, filled with its examples. */
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
      // The pressed button belongs to the previous page and is gone.
      if (isTurning) (turn ?? send).focus();
    }
  });

  /** A page of a feed has a long cursor, so a button requests the next page. */
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

/** Sends a request and shows the response; resolves with its text, if it has one. */
async function answer(asked, output) {
  const types = asked.headers.Accept;
  const began = performance.now();
  // Pictures are bytes and need no token; an SVG is text.
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

/** Returns the initial value: that of the first example request, or the parameter's own. */
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

/** Returns the target of the first example with a successful response. */
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
    // The id is in the response, too.
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
