// The reference: the contract of this service to search, read and try.

import { element, part } from '../shared/dom.js';
import { Contract } from './contract.js';
import { operationView } from './operation-view.js';
import { prose } from './prose.js';
import { quickStart } from './quick-start.js';
import { problemView, problemsView, statusView } from './service-pages.js';
import { springbar } from '../shared/service.js';

const content = part(document, 'content');
const index = part(document, 'index');
const search = part(document, 'search');
const contentsButton = part(document, 'contents');
/** On a small screen an open index would hide the content below it. */
const isBeside = matchMedia('(min-width: 860px)');

function fill(title, nodes) {
  content.replaceChildren(...nodes);
  content.setAttribute('aria-busy', 'false');
  document.title = `${title} · Springbar`;
}

function overview(contract) {
  return [
    element('h1', {}, 'Reference'),
    quickStart(contract),
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
          ...contract.members(one),
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
  const filled = [...groups, ['Problems', found]].filter(([, links]) => links.length > 0);
  index.replaceChildren(
    ...filled.map(
      ([title, links]) => element(
        'details',
        { open: words.length > 0 || title !== 'Problems' },
        element('summary', {}, `${title} (${links.length})`),
        element('ul', {}, links.map((link) => element('li', {}, link))),
      ),
    ),
    ...(filled.length > 0
      ? []
      : [element('p', { class: 'quiet' }, 'Nothing fits. Try a path, a status, a parameter, or a member.')]),
  );
  mark();
}

/** Shows or hides the index on a small screen. */
function openIndex(isOpen) {
  index.classList.toggle('is-open', isOpen);
  contentsButton.setAttribute('aria-expanded', String(isOpen));
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
}

/** Goes to the title of the operation that was chosen. */
async function turn(contract) {
  openIndex(false);
  await showPage(contract);
  if (isBeside.matches) scrollTo({ top: 0, behavior: 'instant' });
  else content.scrollIntoView({ behavior: 'instant' });
}

async function start() {
  try {
    const [contract, { problems }] = await Promise.all([Contract.load(), springbar.connection.get('/problems')]);
    await showPage(contract);
    showIndex(contract, problems, search.value);
    search.addEventListener('input', () => {
      showIndex(contract, problems, search.value);
      openIndex(true);
    });
    openIndex(search.value !== '');
    contentsButton.addEventListener('click', () => openIndex(!index.classList.contains('is-open')));
    window.addEventListener('hashchange', () => turn(contract));
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
