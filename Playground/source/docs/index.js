// The reference: the contract of this service and its settings, to search, read and try.

import { element, part } from '../shared/dom.js';
import { Contents } from './contents.js';
import { Contract } from './contract.js';
import { operationView } from './operation-view.js';
import { prose } from './prose.js';
import { quickStart } from './quick-start.js';
import { problemView, problemsView, statusView } from './service-pages.js';
import { settings, settingsView } from './settings.js';
import { springbar } from '../shared/service.js';

const content = part(document, 'content');
/** On a small screen an open index would hide the content below it. */
const isBeside = matchMedia('(min-width: 860px)');

function fill(title, nodes, kind = '') {
  content.className = kind;
  content.replaceChildren(...nodes);
  content.setAttribute('aria-busy', 'false');
  document.title = `${title} · Springbar`;
}

function overview(contract) {
  return [
    element('h1', {}, 'Reference'),
    quickStart(contract),
    ...prose(contract.info.description, 'about'),
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

/** The text of a part of an address; a part that is not UTF-8 is its own text. */
function unescaped(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Shows the page of the address. Returns the id that the index marks, and the part of the page to go to, if any. */
async function showPage(contract) {
  const { pathname, hash } = location;
  const page = { id: pathname, place: null };
  const name = unescaped(hash.slice(1));
  const operation = name && contract.find(name);
  if (pathname === '/problems') fill('Problems', await problemsView());
  else if (pathname.startsWith('/problems/')) fill('Problem', await problemView(pathname));
  else if (pathname === '/v1/status') fill('Status', await statusView());
  else if (operation) {
    fill(operation.summary, operationView(contract, operation), 'is-operation');
    return { id: operation.id, place: null };
  } else if (name.startsWith('settings') || settings.some((one) => one.name === name)) {
    fill('Settings', settingsView());
    return { id: name, place: document.getElementById(name) };
  } else {
    fill('Reference', overview(contract));
    return { id: name, place: name.startsWith('about-') ? document.getElementById(name) : null };
  }
  return page;
}

/** Goes to the title of the page that was chosen, or to a part of it. */
async function turn(contract, contents) {
  contents.open(false);
  const { id, place } = await showPage(contract);
  contents.mark(id);
  if (place) goTo(place);
  else if (isBeside.matches) scrollTo({ top: 0, behavior: 'instant' });
  else content.scrollIntoView({ behavior: 'instant' });
}

function goTo(place) {
  place.classList.add('is-target');
  place.scrollIntoView({ behavior: 'instant' });
}

async function start() {
  try {
    const [contract, { problems }] = await Promise.all([Contract.load(), springbar.connection.get('/problems')]);
    const { id, place } = await showPage(contract);
    const [index, search, button] = ['index', 'search', 'contents'].map((role) => part(document, role));
    const contents = new Contents(contract, problems, { index, search, button });
    contents.mark(id);
    if (place) goTo(place);
    window.addEventListener('hashchange', () => turn(contract, contents));
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
