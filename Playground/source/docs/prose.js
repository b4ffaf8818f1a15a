// Converts the contract's descriptions to elements: paragraphs, lists, tables as text, `code`, **strong** and links.

import { element } from '../shared/dom.js';

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

/** Returns the elements of a description. */
export function prose(text) {
  return (text ?? '').trim().split(/\n\s*\n/).filter(Boolean).map(block);
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
    else nodes.push(
      /^(https?:|\/|#)/.test(address) ? element('a', { href: address, rel: 'noreferrer' }, label) : label,
    );
    end = found.index + whole.length;
  }
  return [...nodes, text.slice(end)].filter((node) => node !== '');
}

function block(text) {
  const heading = /^#+ (.*)$/.exec(text);
  if (heading) return element('h3', {}, inline(heading[1]));
  if (/^\s*([-*]|\d+\.) /.test(text)) {
    const items = text.split(/\n(?=\s*(?:[-*]|\d+\.) )/).map(
      (item) => item.replace(/^\s*([-*]|\d+\.) /, '').replace(/\s*\n\s*/g, ' '),
    );
    return element('ul', { class: 'bullets' }, items.map((item) => element('li', {}, inline(item))));
  }
  if (/^(```|\|)/.test(text)) return element('pre', { tabindex: '0' }, text.replace(/^```\w*\n|\n```$/g, ''));
  return element('p', {}, inline(text.replace(/\n/g, ' ')));
}
