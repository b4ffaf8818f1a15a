// One line for the newest request of a part of the page: method, target, status, milliseconds; the contents on demand.

import { copyButton } from './copy-button.js';
import { element } from './dom.js';
import { curl, pretty } from './exchanges.js';

/** Longer responses are truncated on the screen; the copied command returns the whole response. */
const SHOWN = 6000;

/** Shows the newest exchange for which `concerns(exchange)` is true in `root`. */
export function exchangeLine(root, exchanges, concerns) {
  const summary = element('summary', {}, element('span', { class: 'quiet' }, 'No request yet'));
  const content = element('div', { class: 'exchange-content' });
  const details = element('details', { class: 'exchange' }, summary, content);
  let shown = null;
  let isAsked = false;

  function draw() {
    isAsked = false;
    summary.replaceChildren(
      element('code', {}, `${shown.method} ${shorter(shown.target)}`),
      element(
        'span',
        { class: shown.status >= 400 || shown.failure ? 'exchange-status is-wrong' : 'exchange-status' },
        outcome(shown),
      ),
    );
    if (details.open) open();
  }

  function open() {
    if (!shown) return content.replaceChildren();
    const { method, path, target, body, answer } = shown;
    const exchange = shown;
    content.replaceChildren(
      element(
        'p',
        { class: 'exchange-actions' },
        copyButton(`as curl: ${method} ${path}`, () => curl(exchange), 'Copy as curl'),
        element('a', { href: operationLink(exchange) }, 'Open its operation'),
      ),
      element('pre', { tabindex: '0' }, `${method} ${target}${body ? `\n\n${pretty(body).slice(0, SHOWN)}` : ''}`),
      element('pre', { tabindex: '0' }, answer ? pretty(answer).slice(0, SHOWN) : outcome(exchange)),
    );
  }

  details.addEventListener('toggle', open);
  exchanges.observe((exchange) => {
    if (!concerns(exchange) || (shown && exchange.number < shown.number)) return;
    // An exchange with a response is preferred to a newer request that was cancelled.
    if (exchange.failure === 'cancelled') return;
    shown = exchange;
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(draw);
  });
  root.replaceChildren(details);
}

/** Returns the address of the operation in the reference. */
export function operationLink({ method, path }) {
  return `/docs#${method}${path}`;
}

function outcome({ status, milliseconds, failure }) {
  if (failure) return failure;
  if (status === null) return 'waiting';
  return `${status} · ${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
}

/** Ids are long, so they are shortened. */
function shorter(target) {
  return target.replace(/[0-9a-f]{24,}/g, (id) => `${id.slice(0, 6)}…`);
}
