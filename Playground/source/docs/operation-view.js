// One operation: its description, parameters, body and responses, and a form to try it.

import { element } from '../shared/dom.js';
import { inline, prose } from './prose.js';
import { lazyDetails, schemaView, typeName } from './schema-view.js';
import { tryIt } from './try-it.js';

/** Returns the page of an operation of the contract. */
export function operationView(contract, operation) {
  const { id, method, path, summary, description, parameters, body, responses } = operation;
  return [
    element(
      'div',
      { class: 'operation-title' },
      element(
        'p',
        { class: 'operation-line' },
        element('span', { class: `method is-${method.toLowerCase()}` }, method),
        element('code', {}, path),
      ),
      element('h1', { id: 'title' }, inline(summary.replace(/\.$/, ''))),
      element('p', { class: 'quiet' }, 'Operation ', element('code', {}, id)),
      ...prose(description),
    ),
    tryIt(contract, operation),
    element(
      'div',
      { class: 'operation-text' },
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
    ),
  ];
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
