// Converts descriptions to elements: headings, paragraphs, lists, tables, code, `code`, **strong** and links.

import { element } from '../shared/dom.js';

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g;
/** A fenced block, or the text up to the next empty line. */
const BLOCKS = /^```[^]*?^```$|(?:.+\n?)+/gm;

/** Returns the elements of a description. Headings and beginnings in bold have an id, which begins with `prefix`. */
export function prose(text, prefix = '') {
  return blocks(text).map((one) => block(one, prefix));
}

/** Returns `{ id, title, text }` for each part of a description that has a heading or begins in bold; without tables and code. */
export function sections(text, prefix) {
  const found = [];
  for (const one of blocks(text)) {
    const title = titleOf(one);
    if (title) found.push({ id: idOf(prefix, title), title, text: one });
    else if (found.length > 0 && !/^(```|\|)/.test(one)) found.at(-1).text += ` ${one}`;
  }
  return found.map(({ text: all, ...rest }) => ({ ...rest, text: plain(all) }));
}

/** Returns the nodes of a line. */
export function inline(text) {
  const nodes = [];
  let end = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, code, strong, label, address] = found;
    nodes.push(text.slice(end, found.index));
    if (code !== undefined) nodes.push(element('code', {}, code));
    else if (strong !== undefined) nodes.push(element('strong', {}, strong));
    else if (/^(https?:|\/|#)/.test(address)) nodes.push(element('a', { href: address, rel: 'noreferrer' }, label));
    else nodes.push(...inline(label));
    end = found.index + whole.length;
  }
  return [...nodes, text.slice(end)].filter((node) => node !== '');
}

/** Returns the text without its marks, on one line. */
export function plain(text) {
  return text.replace(INLINE, (_, code, strong, label) => code ?? strong ?? label).replace(/^#+ |\s+/gm, ' ').trim();
}

/** Returns the rows of a table, without its head: a list of cells each. */
export function tableRows(text) {
  return text.split('\n').slice(2).map(cells);
}

function blocks(text) {
  return ((text ?? '').match(BLOCKS) ?? []).map((one) => one.trim()).filter(Boolean);
}

function titleOf(text) {
  const [, heading, bold] = /^##+ (.*)$|^\*\*([^*]+?)\.?\*\*/m.exec(text.startsWith('```') ? '' : text) ?? [];
  return text.startsWith('#') ? heading : text.startsWith('**') ? bold : null;
}

function idOf(prefix, title) {
  return `${prefix}-${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
}

function block(text, prefix) {
  const title = titleOf(text);
  const id = title && prefix ? idOf(prefix, title) : null;
  const heading = /^#+ (.*)$/.exec(text);
  if (heading) return element('h3', { id }, inline(heading[1]));
  if (/^\s*([-*]|\d+\.) /.test(text)) {
    const items = text.split(/\n(?=\s*(?:[-*]|\d+\.) )/).map(
      (item) => item.replace(/^\s*([-*]|\d+\.) /, '').replace(/\s*\n\s*/g, ' '),
    );
    return element('ul', { class: 'bullets' }, items.map((item) => element('li', {}, inline(item))));
  }
  if (text.startsWith('|')) return table(text);
  if (text.startsWith('```')) return element('pre', { tabindex: '0' }, text.replace(/^```\w*\n|\n```$/g, ''));
  return element('p', { id }, inline(text.replace(/\n/g, ' ')));
}

/** A table; a row whose first cell is a name of capitals has it as its id. */
function table(text) {
  const row = (name, list) => list.map((cell) => element(name, {}, inline(cell)));
  return element(
    'div',
    { class: 'table', tabindex: '0', role: 'group', 'aria-label': 'Table' },
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, row('th', cells(text.split('\n')[0])))),
      element(
        'tbody',
        {},
        tableRows(text).map((list) => element('tr', { id: /^`([A-Z_]+)`$/.exec(list[0])?.[1] }, row('td', list))),
      ),
    ),
  );
}

function cells(line) {
  return line.trim().slice(1, -1).split('|').map((cell) => cell.trim());
}
