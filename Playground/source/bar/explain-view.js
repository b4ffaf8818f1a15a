// The reason for a change of the bar: the rule as a sentence, and the distance after each stage.

import { element, figure } from '../shared/dom.js';
import { words } from './event-log.js';

const STAGES = {
  ignoreTop: 'without what lies above the top',
  ignoreBottom: 'without what lies below the end',
  cutOut: 'held between the allowed heights',
};

const RULES = {
  attached: ({ from, to }) =>
    from === to ? `The list was attached: the bar keeps its height, ${pt(to)}.` : `The list was attached: the bar takes the height ${pt(to)}.`,
  preconfigured: () => 'The list got new insets, because its content or its frame has another size.',
  duplicate: () => 'The offset is the same as before, so nothing moves.',
  primed: () => 'The first offset after an attachment is only remembered; the next one moves the bar.',
  reduced: ({ from, to }) =>
    from === to ? 'The bar keeps its height: it is at a limit in this direction.' : `The list moved, and the bar with it: ${pt(from)} → ${pt(to)}.`,
  ownAnimation: () => 'A sample of the bar’s own animation, which counted when it was commanded.',
  stored: () => 'Remembered for the rules that need it; the bar does not move.',
  panBegan: ({ isAvailable }) =>
    isAvailable ? 'The drag began at the top, so it may open the bar beyond normal.' : 'The drag began away from the top, so the bar stays at normal or below.',
  expansionWithdrawn: () => 'The content left the top, so the bar may not open beyond normal any more.',
  snapped: ({ from, to, settings, velocity }) => snapWords(from, to, settings, velocity),
  alreadyAtRest: () => 'The finger let go at a height where the bar rests, so there is no snap.',
  expanded: ({ from, to }) => `The button asked for the expanded height: ${pt(from)} → ${pt(to)}.`,
  collapsed: ({ from, to }) => `The button asked for the normal height: ${pt(from)} → ${pt(to)}.`,
  ignored: () => 'No rule reacts to this event.',
};

/** Returns the entry of `history` to explain: the newest that changed the height; null if none did. */
export function lastChange(history) {
  return history.entries.findLast(({ sequence, result }) => {
    const before = history.barAt(sequence - 1);
    return result.explain && before && before.state.height !== result.state.height;
  }) ?? null;
}

/** Shows the explanation of an entry of `history` in `root`; `settings` are those of the session. */
export function explain(root, history, entry, settings) {
  if (!entry?.result.explain) {
    root.replaceChildren(
      element('p', { class: 'quiet' }, 'Drag the list: this says which rule moved the bar, and why.'),
    );
    return;
  }
  const { rule, reductions } = entry.result.explain;
  const before = history.barAt(entry.sequence - 1)?.state;
  const facts = {
    from: before?.height ?? entry.result.state.height,
    to: entry.result.commands.some(({ animated }) => animated) && settings.feedback === 'echoed' ? goal(entry) : entry.result.state.height,
    isAvailable: entry.result.state.isExpandedStateAvailable,
    velocity: entry.event.velocity?.y ?? 0,
    settings,
  };
  root.replaceChildren(
    element('p', { class: 'explain-event' }, `${entry.sequence} · ${words(entry.event)}`),
    element('p', { class: 'explain-rule' }, RULES[rule]?.(facts) ?? rule),
    ...reductions.slice(-1).map(reductionTable),
  );
}

function goal({ result }) {
  return -result.commands.at(-1).y;
}

function snapWords(from, to, { configuration, options }, velocity) {
  const names = { compactStateHeight: 'compact', normalStateHeight: 'normal', expandedStateHeight: 'expanded' };
  const heights = Object.entries(configuration).map(([name, height]) => ({ name: names[name], height }));
  const nearest = [...heights].sort((a, b) => Math.abs(a.height - from) - Math.abs(b.height - from)).slice(0, 2);
  const chosen = heights.find(({ height }) => height === to)?.name ?? 'the nearest state';
  const where = `The finger let go at ${pt(from)}, between ${nearest.map(({ name, height }) => `${name} (${pt(height)})`).sort().join(' and ')}.`;
  if (options.snap === 'projected' && velocity !== 0) {
    return `${where} At ${figure(velocity, 0)} pt/s the list would run on, and ${chosen} is the state nearest to where it would stop.`;
  }
  return `${where} It snaps to ${chosen}, ${pt(Math.abs(from - to))} away.`;
}

const pt = (height) => `${figure(height, 1)}\u00a0pt`;

function reductionTable({ previousY, y, deltaY, stages }) {
  const widest = Math.max(Math.abs(deltaY), ...stages.map((stage) => Math.abs(stage.deltaY)), 1);
  const rows = [{ name: `offset ${figure(previousY, 1)} → ${figure(y, 1)}`, deltaY }, ...stages];
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
          { dataset: { stage: row.name } },
          element('th', { scope: 'row' }, STAGES[row.name] ?? row.name),
          element('td', { class: 'stage-lane' }, bar),
          element('td', { class: 'stage-value' }, figure(row.deltaY, 2)),
        );
      }),
    ),
  );
}
