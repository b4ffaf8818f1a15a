// A request as code: for a shell, for JavaScript and for Swift.

import { copyButton } from '../shared/copy-button.js';
import { element } from '../shared/dom.js';
import { curl } from '../shared/exchanges.js';
import { authorized } from './sender.js';

const LANGUAGES = { curl, JavaScript: javaScript, Swift: swift };
const TOKEN = '$TOKEN';

/** Returns the view of the code of `request()`, with a function `update()`. */
export function requestCode(request) {
  let language = 'curl';
  const text = element('pre', { tabindex: '0', 'aria-label': 'The request as code' });
  const written = () => LANGUAGES[language](authorized(request()));
  const update = () => (text.textContent = written());
  const choices = Object.keys(LANGUAGES).map((name) =>
    element(
      'label',
      {},
      element('input', {
        type: 'radio',
        name: 'language',
        checked: name === language,
        onchange: () => {
          language = name;
          update();
        },
      }),
      element('span', {}, name),
    ),
  );
  const view = element(
    'div',
    { class: 'try-code' },
    element(
      'div',
      { class: 'try-languages' },
      element('div', { class: 'choices', role: 'radiogroup', 'aria-label': 'Language' }, choices),
      copyButton('the request as code', written),
    ),
    text,
  );
  return { view, update };
}

function javaScript({ method, target, headers, body }) {
  const fields = Object.entries(headers).map(([name, value]) => `    ${quoted(name)}: ${quoted(shown(value))},`);
  const lines = [
    ...(method === 'GET' ? [] : [`  method: ${quoted(method)},`]),
    ...(fields.length > 0 ? ['  headers: {', ...fields, '  },'] : []),
    ...(body === undefined ? [] : [`  body: ${jsonValue(body)},`]),
  ];
  return [
    `const response = await fetch(${quoted(location.origin + target)}, {`,
    ...lines,
    '});',
    'console.log(response.status, await response.text());',
  ].join('\n');
}

function swift({ method, target, headers, body }) {
  const lines = [
    'import Foundation',
    '',
    `var request = URLRequest(url: URL(string: ${literal(location.origin + target)})!)`,
    ...(method === 'GET' ? [] : [`request.httpMethod = ${literal(method)}`]),
    ...Object.entries(headers).map(
      ([name, value]) => `request.setValue(${literal(shown(value))}, forHTTPHeaderField: ${literal(name)})`,
    ),
  ];
  if (body !== undefined) lines.push('request.httpBody = Data(', ...multiline(body), ')');
  return [
    ...lines,
    'let (content, response) = try await URLSession.shared.data(for: request)',
    'print(response, String(decoding: content, as: UTF8.self))',
  ].join('\n');
}

/** The token is a secret of the reader, so code has a name for it. */
function shown(value) {
  return value.startsWith('Bearer ') ? `Bearer ${TOKEN}` : value;
}

function quoted(text) {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
}

/** JSON is also JavaScript. Other text is sent as it is. */
function jsonValue(body) {
  try {
    return `JSON.stringify(${JSON.stringify(JSON.parse(body), null, 2).replaceAll('\n', '\n  ')})`;
  } catch {
    return quoted(body);
  }
}

function literal(text) {
  return `${hashes(text)}"${text}"${hashes(text)}`;
}

function multiline(text) {
  const lines = text.split('\n').map((line) => `    ${line}`);
  return [`    ${hashes(text)}"""`, ...lines, `    """${hashes(text)}.utf8`];
}

/** Returns more number signs than the text has in a row, so that it cannot end a raw string. */
function hashes(text) {
  return '#'.repeat(1 + Math.max(0, ...(text.match(/#+/g) ?? []).map(({ length }) => length)));
}
