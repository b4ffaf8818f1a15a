// Five lines for a shell: each part of the API once.

import { copyButton } from '../shared/copy-button.js';
import { element } from '../shared/dom.js';

/** Returns the section; the content of its requests is that of the contract's own steps. */
export function quickStart(contract) {
  const { createBar, postDrag } = contract.resolvedDeeply(contract.steps);
  const { configuration, scrollable } = createBar.body;
  const { origin } = location;
  const json = (body) => `--json '${JSON.stringify(body).replaceAll("'", "'\\''")}'`;
  const lines = [
    `curl -s '${origin}/v1/springs?dampingRatio=0.8&response=0.3' | jq -r .conventions.compose.snippet`,
    `ID=$(curl -s ${origin}/v1/bars ${json({ configuration, scrollable })} | jq -r .id)`,
    `curl -s ${origin}/v1/bars/$ID/events ${json(postDrag.body)} | jq .state.height`,
    `curl -s '${origin}/v1/photos?limit=1' | jq -r '.items[0].attribution.text'`,
    `echo ${origin}/watch/$ID`,
  ];
  const meanings = [
    'A spring, as Compose writes it',
    'A bar for a scroll view',
    'Its height after a drag',
    'A photo of the feed',
    'The page that follows the bar',
  ];
  return element(
    'section',
    { class: 'quick-start' },
    element('h2', {}, 'Quick start'),
    element(
      'ol',
      {},
      lines.map((line, index) => element(
        'li',
        {},
        element('span', {}, meanings[index]),
        element('pre', { tabindex: '0', 'aria-label': meanings[index] }, line),
      )),
    ),
    copyButton('the five lines', () => lines.join('\n'), 'Copy the five lines'),
  );
}
