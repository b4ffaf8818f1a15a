// A request as code: for a shell, for JavaScript, for Swift, and for the clients of the service where they have a call.

import { copyButton } from '../shared/copy-button.js';
import { element } from '../shared/dom.js';
import { curl } from '../shared/exchanges.js';
import { javaScriptClient, swiftClient } from './client-code.js';
import { javaScript, swift } from './fetch-code.js';
import { authorized } from './sender.js';

const LANGUAGES = {
  curl: (request) => curl(request) + (request.file ? ` \\\n  -o ${request.file}` : ''),
  JavaScript: javaScript,
  Swift: swift,
  'springbar.js': javaScriptClient,
  SpringbarClient: swiftClient,
};
let language = 'curl';

/** Returns the view of the code of `request()`, a button that copies it, and a function `update()`. */
export function requestCode(operation, request) {
  const whole = () => {
    const written = authorized(request());
    return { ...written, ...kindOf(operation, written.headers), id: operation.id };
  };
  const text = element('pre', { tabindex: '0', 'aria-label': 'The request as code' });
  const group = element('div', { class: 'choices', role: 'radiogroup', 'aria-label': 'Language' });
  const code = () => LANGUAGES[language](whole());
  /** A client has no call for some operations, or for some parameters of one. */
  const update = () => {
    const names = Object.keys(LANGUAGES).filter((name) => LANGUAGES[name](whole()));
    if (!names.includes(language)) language = 'curl';
    if (names.join() !== group.dataset.names) {
      group.dataset.names = names.join();
      group.replaceChildren(...names.map(choice));
    }
    text.textContent = code();
  };

  function choice(name) {
    const choose = () => {
      language = name;
      update();
    };
    return element(
      'label',
      {},
      element('input', { type: 'radio', name: 'language', checked: name === language, onchange: choose }),
      element('span', {}, name),
    );
  }

  const view = element('div', { class: 'try-code' }, group, text);
  return { view, copy: copyButton('the request as code', code), update };
}

/** What the answer is: an open stream, a file to save with its name, or text. */
function kindOf({ path, responses }, { Accept: accepted }) {
  const success = responses.find(({ status }) => status.startsWith('2'));
  const [type = ''] = Object.keys(success?.content ?? {});
  if (type === 'text/event-stream') return { isStream: true };
  if (!type.startsWith('image/')) return {};
  const name = path.split('/').at(-1);
  return { file: name.includes('.') ? name : `photo.${/^image\/(\w+)/.exec(accepted)?.[1] ?? 'jpeg'}` };
}
