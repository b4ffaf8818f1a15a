// Why an event did what it did: the rule that it fired, and what each stage left of the distance.

import { element, figure } from '../dom.js';
import { words } from './event-log.js';

const RULES = {
  attached: 'The list was attached.',
  preconfigured: 'The list got its insets.',
  duplicate: 'The offset is the one before: nothing to do.',
  primed: 'The first offset after an attachment is only remembered.',
  reduced: 'The offset went through the stages.',
  ownAnimation: 'A sample of the bar’s own animation, already counted.',
  stored: 'Kept until another rule reads it.',
  panBegan: 'The pan decided whether the bar may expand.',
  expansionWithdrawn: 'The content left the top: no expanding any more.',
  snapped: 'The bar was between states and goes to one.',
  alreadyAtRest: 'The bar rests in a state.',
  expanded: 'Opened by request.',
  collapsed: 'Closed by request.',
  ignored: 'Nothing reacts to this.',
};

/** Whether an event did anything that is worth an explanation. */
export function hasConsequence({ result }) {
  return result.explain && result.explain.rule !== 'ignored';
}

/** Fills `root` with the explanation of an entry of the history. */
export function explain(root, entry) {
  if (!entry?.result.explain) {
    root.replaceChildren(element('p', { class: 'quiet' }, 'Move the list: every event will say which rule it fired.'));
    return;
  }
  const { rule, reductions } = entry.result.explain;
  root.replaceChildren(
    element('p', { class: 'explain-event' }, `${entry.sequence} · ${words(entry.event)}`),
    element('p', { class: 'explain-rule' }, RULES[rule] ?? rule),
    ...reductions.map(reductionTable),
  );
}

function reductionTable({ previousY, y, deltaY, stages }) {
  const widest = Math.max(Math.abs(deltaY), ...stages.map((stage) => Math.abs(stage.deltaY)), 1);
  const rows = [{ name: `${figure(previousY, 1)} → ${figure(y, 1)}`, deltaY }, ...stages];
  return element(
    'table',
    { class: 'stages' },
    element('caption', { class: 'visually-hidden' }, 'What each stage leaves of the distance'),
    element(
      'tbody',
      {},
      rows.map((row) => {
        const bar = element('span', { class: row.deltaY < 0 ? 'stage-bar is-negative' : 'stage-bar' });
        bar.style.setProperty('--share', String(Math.abs(row.deltaY) / widest));
        return element(
          'tr',
          {},
          element('th', { scope: 'row' }, row.name),
          element('td', { class: 'stage-lane' }, bar),
          element('td', { class: 'stage-value' }, figure(row.deltaY, 2)),
        );
      }),
    ),
  );
}
