// The settings of the service, from the page that describes its operation.

import operating from '../../../docs/operating.md';
import { element } from '../shared/dom.js';
import { prose, sections, tableRows } from './prose.js';

/** Each setting: its name, its default and its meaning. */
export const settings = operating.match(/^\| variable \|.*\n(?:\|.*\n)+/gm).flatMap((table) => tableRows(table.trim())).map(
  ([name, value, meaning]) => ({ name: name.slice(1, -1), value: value.replaceAll('`', ''), meaning }),
);

/** The sections of the page. */
export const settingsSections = sections(operating, 'settings');

export function settingsView() {
  const [, ...content] = prose(operating, 'settings');
  return [element('h1', {}, 'Settings and operation'), ...content];
}
