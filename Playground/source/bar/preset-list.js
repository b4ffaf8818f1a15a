// The phone's second list: every platform's named springs. Choosing one opens it in the spring lab.

import { element, figure } from '../shared/dom.js';
import { platformOf } from '../springs/platforms.js';
import { rovingFocus } from '../shared/roving-focus.js';

export class PresetList {
  #root;
  #springs;
  #isLoaded = false;

  constructor(root, springs) {
    this.#root = root;
    this.#springs = springs;
    rovingFocus(root, 'a');
  }

  /** Loads the presets once. */
  async load() {
    if (this.#isLoaded) return;
    try {
      const { presets } = await this.#springs.presets();
      this.#isLoaded = true;
      this.#root.replaceChildren(...presets.map(row));
    } catch (error) {
      this.#root.replaceChildren(element('li', { class: 'preset-error' }, error.message));
    }
  }
}

function row(preset) {
  const { dampingRatio, response } = preset.spring;
  const query = new URLSearchParams({ convention: preset.convention, ...preset.parameters });
  return element(
    'li',
    {},
    element(
      'a',
      { class: 'preset', href: `/?${query}#springs`, dataset: { preset: query } },
      element('span', { class: 'preset-name' }, preset.name),
      element('span', { class: 'preset-platform' }, platformOf(preset.platform)),
      element('span', { class: 'preset-numbers' }, `${figure(dampingRatio, 2)} · ${figure(response, 2)} s`),
    ),
  );
}
