// The answer to a request: status, fields and content.

import { element } from '../shared/dom.js';
import { pretty } from '../shared/exchanges.js';

/** Longer text is cut on the screen, and offered as a file. */
const SHOWN = 20_000;
/** Fields that are shown without opening the list, because the next request needs them. */
const NEEDED = ['etag', 'location', 'retry-after'];
let file = null;

/** Shows a response in `output`; resolves with its text, if it has one. */
export async function showAnswer(response, began, output, { id, target }) {
  const { ok, status, headers } = response;
  if (response.type === 'opaqueredirect') return showRedirect(target, output);
  const type = headers.get('content-type') ?? '';
  const line = element(
    'p',
    { class: ok ? 'try-status' : 'try-status is-wrong' },
    `${status} in ${(performance.now() - began).toFixed(1)} ms`,
  );
  output.append(line, fieldsView(headers));
  if (type.startsWith('text/event-stream')) {
    showStream(response, output);
    return null;
  }
  const content = await response.blob();
  if (type.startsWith('image/')) {
    output.append(element('img', { alt: 'The answer', src: await dataAddress(content) }));
    return null;
  }
  const text = await content.text();
  const problem = !ok && /"type":"(\/problems\/[a-z-]+)"/.exec(text)?.[1];
  if (problem) line.append(element('a', { href: problem }, 'What it means'));
  const written = pretty(text);
  const view = element('pre', { tabindex: '0', 'aria-label': 'The content' }, written.slice(0, SHOWN) || 'No content');
  output.append(...(written.length > SHOWN ? [cutView(content, written.length, id)] : []), view);
  return text;
}

/** With `SPRINGBAR_IMAGE_MODE=redirect`, pictures are at another host, where only a picture element may go. */
function showRedirect(target, output) {
  output.append(
    element('p', { class: 'try-status' }, 'A redirect'),
    element('img', { alt: 'The answer', src: target }),
  );
  return null;
}

function fieldsView(headers) {
  const fields = [...headers];
  const needed = NEEDED.filter((name) => headers.has(name)).map((name) => `${name}: ${headers.get(name)}`);
  const lines = fields.map(([name, value]) => `${name}: ${value}`).join('\n');
  return element(
    'details',
    { class: 'try-fields' },
    element('summary', {}, `${fields.length} fields `, needed.map((one) => element('code', {}, one))),
    element('pre', { tabindex: '0', 'aria-label': 'The fields' }, lines),
  );
}

function cutView(content, length, name) {
  if (file) URL.revokeObjectURL(file);
  file = URL.createObjectURL(content);
  const extension = content.type.includes('json') ? 'json' : 'txt';
  return element(
    'p',
    { class: 'quiet' },
    `Cut at ${SHOWN.toLocaleString('en')} of ${length.toLocaleString('en')} characters. `,
    element('a', { href: file, download: `${name}.${extension}` }, 'Download'),
  );
}

/** Appends the text of an event stream until it ends, the button is pressed or the view is gone. */
async function showStream(response, output) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const stop = element('button', { type: 'button', class: 'button', onclick: () => reader.cancel() }, 'Stop');
  const lines = element('pre', { tabindex: '0', 'aria-label': 'The events' });
  output.append(stop, lines);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!lines.isConnected) return reader.cancel();
      lines.textContent = (lines.textContent + value).slice(-SHOWN);
    }
    lines.append('Closed.\n');
  } catch {
    lines.append('The connection was lost.\n');
  }
  stop.remove();
}

/** The policy of the page allows pictures of its own origin and of data addresses. */
function dataAddress(blob) {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.readAsDataURL(blob);
  });
}
