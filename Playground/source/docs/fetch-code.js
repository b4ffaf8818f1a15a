// A request as code without a client: with `fetch`, and with `URLSession`.

const TOKEN = '$TOKEN';

export function javaScript({ method, target, headers, body, isStream, file }) {
  const fields = Object.entries(headers).map(([name, value]) => `    ${quoted(name)}: ${quoted(shown(value))},`);
  const lines = [
    ...(method === 'GET' ? [] : [`  method: ${quoted(method)},`]),
    ...(fields.length > 0 ? ['  headers: {', ...fields, '  },'] : []),
    ...(body === undefined ? [] : [`  body: ${jsonValue(body)},`]),
  ];
  const use = isStream
    ? [
      'for await (const text of response.body.pipeThrough(new TextDecoderStream())) {',
      '  console.log(text);',
      '}',
    ]
    : file
      ? [`await writeFile(${quoted(file)}, new Uint8Array(await response.arrayBuffer()));`]
      : ['console.log(response.status, await response.text());'];
  return [
    ...(file ? ["import { writeFile } from 'node:fs/promises';", ''] : []),
    `const response = await fetch(${quoted(location.origin + target)}, {`,
    ...lines,
    '});',
    ...use,
  ].join('\n');
}

export function swift({ method, target, headers, body, isStream, file }) {
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
  if (isStream) {
    lines.push('let (bytes, _) = try await URLSession.shared.bytes(for: request)', 'for try await line in bytes.lines { print(line) }');
  } else if (file) {
    lines.push(
      'let (content, _) = try await URLSession.shared.data(for: request)',
      `try content.write(to: URL(fileURLWithPath: ${literal(file)}))`,
    );
  } else {
    lines.push(
      'let (content, response) = try await URLSession.shared.data(for: request)',
      'print(response, String(decoding: content, as: UTF8.self))',
    );
  }
  return lines.join('\n');
}

/** The token is a secret of the reader, so code has a name for it. */
function shown(value) {
  return value.startsWith('Bearer ') ? `Bearer ${TOKEN}` : value;
}

/** Returns a literal of JavaScript. */
export function quoted(text) {
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

/** Returns a raw literal of Swift. */
export function literal(text) {
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
