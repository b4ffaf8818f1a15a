// The search of the reference: entries for operations, problems, settings and texts, and their rank for some words.

import { plain, sections } from './prose.js';
import { settings, settingsSections } from './settings.js';

/** The most results that are listed. */
const MOST = 40;

/**
 * Returns the entries: `{ id, href, mark, title, fields }` each. A field is `[weight, text, label]`: a match in a text of
 * a larger weight counts more.
 */
export function searchEntries(contract, problems) {
  return [
    ...contract.operations.map((one) => ({
      id: one.id,
      href: `/docs#${one.id}`,
      mark: one.method,
      title: one.path,
      fields: [
        [10, one.path],
        [10, one.id],
        [4, one.method],
        [6, plain(one.summary), ''],
        ...one.parameters.map(({ name, description }) => [5, name, description ? plain(description) : 'parameter']),
        ...contract.members(one).map((name) => [3, name, 'a member of the content']),
        ...one.responses.map(({ status }) => [2, status, 'answer']),
        [2, plain(one.description), ''],
      ],
    })),
    ...problems.map(({ code, status, title, type }) => ({
      id: type, href: type, mark: String(status), title: code, fields: [[9, code], [8, String(status)], [6, title, '']],
    })),
    ...settings.map(({ name, value, meaning }) => ({
      id: name, href: `/docs#${name}`, mark: 'setting', title: name,
      fields: [[9, name], [6, `${plain(meaning)}${value && ` (${value})`}`, '']],
    })),
    ...[...sections(contract.info.description, 'about'), ...settingsSections].map(({ id, title, text }) => ({
      id, href: `/docs#${id}`, mark: '§', title, fields: [[7, title], [2, text, '']],
    })),
  ].map((entry) => ({ ...entry, texts: entry.fields.map(([, text]) => text.toLowerCase()) }));
}

/** Returns the entries that have all words, best first, each with a `note`: where a word was found, if not in the title. */
export function ranked(entries, words) {
  const found = [];
  for (const entry of entries) {
    const matches = words.map((word) => bestMatch(entry, word));
    if (matches.includes(null)) continue;
    const score = matches.reduce((sum, match) => sum + match.score, 0);
    const hidden = matches.find(({ field: [, , label] }) => label !== undefined);
    found.push({ ...entry, score, note: hidden ? note(hidden) : entry.fields.find(([, , label]) => label === '')?.[1] });
  }
  return found.sort((one, other) => other.score - one.score).slice(0, MOST);
}

function bestMatch({ fields, texts }, word) {
  let best = null;
  texts.forEach((text, index) => {
    const start = text.indexOf(word);
    if (start < 0) return;
    const isWord = !/[a-z0-9]/.test(text[start - 1] ?? ' ');
    const quality = text === word ? 4 : start === 0 ? 2 : isWord ? 1.5 : 1;
    const score = fields[index][0] * quality;
    if (score > (best?.score ?? 0)) best = { score, field: fields[index], start };
  });
  return best;
}

/** A name and what it is, or the part of a sentence around the word. */
function note({ field: [, text, label], start }) {
  if (label !== '') return `${text}: ${label}`;
  const from = start < 60 ? 0 : text.lastIndexOf(' ', start - 30) + 1;
  return `${from > 0 ? '… ' : ''}${text.slice(from, from + 140)}`;
}
