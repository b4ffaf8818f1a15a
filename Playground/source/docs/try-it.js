// A form that sends a request of an operation to this service.

import { element } from '../shared/dom.js';
import { showAnswer } from './answer-view.js';
import { exampleRequests } from './example-requests.js';
import { requestCode } from './request-code.js';
import { bar, perform, send } from './sender.js';

const MADE_FIRST = 'made when you send';

/** Returns the form of an operation, filled with its first example: its fields, and a panel with its code and answer. */
export function tryIt(contract, operation) {
  const examples = exampleRequests(contract, operation);
  const fields = operation.parameters.map((one) => field(contract, one));
  const content = operation.body && element('textarea', { rows: '10', spellcheck: 'false' });
  const output = element('div', { class: 'try-output', 'aria-live': 'polite' });
  const button = element('button', { type: 'submit', class: 'button is-strong' }, 'Send');
  const choice = element(
    'select',
    { 'aria-label': 'Example', onchange: () => fill(examples[choice.selectedIndex]) },
    examples.map(({ label }) => element('option', {}, label)),
  );
  const version = fields.find(({ parameter }) => parameter.name === 'If-Match');
  const code = requestCode(operation, request);
  const used = element('div', { class: 'try-fields-used' });
  const unused = element('div', { class: 'try-fields-unused' });
  const summary = element('summary', {});
  const more = element('details', { class: 'try-more' }, summary, unused);
  const form = element(
    'form',
    { class: 'try', 'aria-label': 'Try it', oninput: code.update },
    element(
      'div',
      { class: 'try-request' },
      element('h2', {}, 'Try it'),
      examples.length > 1 ? element('label', { class: 'field' }, 'Example', choice) : null,
      used,
      content ? element('label', { class: 'field' }, 'Content', content) : null,
      more,
    ),
    element(
      'div',
      { class: 'try-panel' },
      element('div', { class: 'try-actions' }, button, element('code', {}, `${operation.method} ${operation.path}`), code.copy),
      code.view,
      output,
    ),
  );
  let example;
  fill(examples[0]);
  useBar();

  /** Writes an example into the form. A value that its steps keep stays empty until the form is sent. */
  function fill(chosen) {
    example = chosen;
    const [path, query] = chosen.target.split('?');
    const places = operation.path.split('/');
    for (const one of fields) {
      const { name } = one.parameter;
      const given = {
        path: () => decodeURIComponent(path.split('/')[places.indexOf(`{${name}}`)] ?? ''),
        query: () => new URLSearchParams(query).get(name),
        header: () => chosen.headers[name],
      }[one.parameter.in]?.() ?? '';
      const [, kept = null] = /^\{(\w+)\}$/.exec(given) ?? [];
      const isMadeFirst = chosen.steps.some(({ keep = {} }) => kept in keep);
      one.kept = isMadeFirst ? kept : null;
      one.input.placeholder = isMadeFirst ? MADE_FIRST : '';
      one.input.value = kept === null ? given : isMadeFirst ? '' : ownExample(one.parameter);
    }
    if (content) content.value = chosen.content ?? '';
    fold();
    code.update();
  }

  /** Shows the required fields and those with a value; the others can be opened. */
  function fold() {
    const isUsed = ({ parameter, input, kept }) => parameter.required || kept !== null || input.value !== '';
    used.replaceChildren(...fields.filter(isUsed).map(({ node }) => node));
    const others = fields.filter((one) => !isUsed(one));
    unused.replaceChildren(...others.map(({ node }) => node));
    summary.textContent = others.length === 1 ? '1 more optional field' : `${others.length} more optional fields`;
    more.hidden = others.length === 0;
    more.open = false;
  }

  /** Fills in the bar of this tab instead of making another one. */
  function useBar() {
    const known = bar();
    const id = fields.find(({ kept }) => kept === 'id');
    if (!known || !id) return;
    id.input.value = known.id;
    if (version?.input.value) version.input.value = known.etag;
    code.update();
  }

  /** The request of the form: for `send`, and its values by name for the calls of the clients. */
  function request() {
    let path = operation.path;
    const values = {};
    const query = new URLSearchParams();
    const headers = { Accept: accepted(operation), ...(content ? { 'Content-Type': 'application/json' } : {}) };
    for (const name of ['Accept', 'Content-Type']) if (example?.headers[name]) headers[name] = example.headers[name];
    for (const { parameter, input } of fields) {
      const { name } = parameter;
      if (input.value === '') continue;
      values[name] = input.value;
      if (parameter.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(input.value));
      else if (parameter.in === 'query') query.append(name, input.value);
      else headers[name] = input.value;
    }
    const target = path + (String(query) && `?${query}`);
    return { method: operation.method, target, headers, body: content?.value, path, query, values };
  }

  /** Sends the steps of the example if a value of theirs is missing; the fields then have it. */
  async function prepare() {
    const missing = fields.filter(({ kept, input }) => kept && input.value === '');
    if (missing.length === 0) return;
    const { kept, lines } = await perform(example.steps);
    for (const one of missing) one.input.value = kept[one.kept];
    code.update();
    output.append(
      element(
        'p',
        { class: 'try-note' },
        kept.id ? `Created the bar ${kept.id} first: ` : 'Sent first: ',
        lines.map((line, index) => [index > 0 ? ', ' : '', element('code', {}, line)]).flat(),
      ),
    );
  }

  /** Replaces the version of the bar `before` by the present one, so that the next request is not refused. */
  function followVersion(before) {
    if (!before || version?.input.value !== before.etag) return;
    version.input.value = bar()?.etag ?? before.etag;
    code.update();
  }

  async function submit(isRepeated = false) {
    const own = bar();
    const began = performance.now();
    const show = (response) => showAnswer(response, began, output, { id: operation.id, target: request().target });
    try {
      await prepare();
      const before = bar();
      const response = await send(request());
      followVersion(before);
      // The bar of this tab has expired, so another one is made.
      const id = fields.find(({ kept, input }) => kept === 'id' && input.value === own?.id);
      if (response.status === 404 && id && !isRepeated) {
        id.input.value = '';
        await prepare();
        followVersion(own);
        return await submit(true);
      }
      return await show(response);
    } catch (error) {
      if (error instanceof Response) return show(error);
      const text = 'The service does not answer. Check that it runs, then send again.';
      output.append(element('p', { class: 'message' }, text));
      return null;
    }
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    const isTurning = output.contains(document.activeElement);
    output.replaceChildren();
    let turn = null;
    try {
      turn = offerNextPage(await submit());
    } finally {
      button.disabled = false;
      // The pressed button belongs to the previous page and is gone.
      if (isTurning) (turn ?? button).focus();
    }
  });

  /** A page of a feed has a long cursor, so a button requests the next page. */
  function offerNextPage(text) {
    const cursor = fields.find(({ parameter }) => parameter.name === 'cursor');
    const next = cursor && /"nextCursor":"([^"]+)"/.exec(text ?? '')?.[1];
    if (!next) return null;
    const turnPage = () => {
      cursor.input.value = next;
      for (const { parameter, input } of fields) if (['page', 'perPage'].includes(parameter.name)) input.value = '';
      fold();
      form.requestSubmit();
    };
    const turn = element('button', { type: 'button', class: 'copy', onclick: turnPage }, 'Next page');
    output.querySelector('.try-status').append(turn);
    return turn;
  }
  return form;
}

function field(contract, parameter) {
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
  const text = `${parameter.name}${parameter.required ? '' : ' (optional)'}`;
  return { parameter, input, kept: null, node: element('label', { class: 'field' }, text, input) };
}

function ownExample({ example, examples = {}, schema }) {
  return String(example ?? Object.values(examples)[0]?.value ?? schema?.enum?.[0] ?? '');
}

function accepted({ responses }) {
  const success = responses.find(({ status }) => status.startsWith('2'));
  const [type = 'application/json'] = Object.keys(success?.content ?? {});
  return type.startsWith('image') || type === 'text/event-stream' ? type : `${type}, application/problem+json`;
}
