// The pages of problems and of the status, from the JSON at the same address.

import { element, figure } from '../shared/dom.js';
import { springbar } from '../shared/service.js';
import { inline } from './prose.js';

/** All problems. */
export async function problemsView() {
  const { problems } = await springbar.connection.get('/problems');
  return [
    element('h1', {}, 'Problems'),
    element('p', { class: 'quiet' }, 'Every error answer has a type that leads to one of these pages.'),
    element('ul', { class: 'problem-list' }, problems.map(({ code, status, title, type }) =>
      element(
        'li',
        {},
        element(
          'a',
          { href: type },
          element('span', { class: 'status-code is-wrong' }, String(status)),
          element('code', {}, code),
          element('span', {}, title),
        ),
      ),
    )),
  ];
}

/** One problem: its meaning and its remedy. */
export async function problemView(path) {
  const { code, status, title, explanation } = await springbar.connection.get(path);
  return [
    element(
      'p',
      { class: 'operation-line' },
      element('span', { class: 'status-code is-wrong' }, String(status)),
      element('code', {}, code),
    ),
    element('h1', {}, title.replace(/\.$/, '')),
    element('p', {}, ...inline(explanation)),
    element('p', {}, element('a', { href: '/problems' }, 'All problems')),
  ];
}

/** The status of the service. */
export async function statusView() {
  const { version, uptimeSeconds, draining, bars, photos } = await springbar.status();
  const { budget, imageCache } = photos;
  const rows = [
    ['Version', version],
    [
      'Running for',
      uptimeSeconds < 5400 ? `${Math.round(uptimeSeconds / 60)} min` : `${figure(uptimeSeconds / 3600, 1)} h`,
    ],
    ['State', draining ? 'draining: it finishes what it has, then stops' : 'ready'],
    ['Bars', bars.sessions === null ? 'in Redis' : `${bars.sessions} of ${bars.maxSessions}`],
    ['Photo library', `${photos.library}, ${photos.upstream}`],
    [
      'Calls left this hour',
      `${budget.remaining} of ${budget.limit}, resets in ${Math.ceil(budget.resetsInSeconds / 60)} min`,
    ],
    [
      'Pictures cached',
      `${imageCache.entries}, ${figure(imageCache.bytes / 1e6, 1)} of ${figure(imageCache.maxBytes / 1e6, 1)} MB`,
    ],
    ['Cache hits', `${imageCache.hits} of ${imageCache.hits + imageCache.misses}`],
  ];
  return [
    element('h1', {}, 'Status'),
    element(
      'dl',
      { class: 'schema' },
      rows.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
    ),
    element(
      'p',
      { class: 'quiet' },
      'Programs get this as JSON at the same address; counters are at ',
      element('a', { href: '/metrics' }, '/metrics'),
      '.',
    ),
  ];
}
