// The form of a spring: a preset, the convention, and a slider and a field for each parameter.

import { element } from '../shared/dom.js';
import { rounded } from './conventions.js';
import { readNumber, shortened } from './numbers.js';
import { platformOf } from './platforms.js';
import { sliderRange } from './ranges.js';

export class SpringForm {
  #label;
  #conventions;
  #value;
  #faults = new Map();
  #fields = element('div', { class: 'parameters' });
  #select;
  #presets = element('select', {});
  /** Called with `{ convention, parameters }`. */
  onChange = () => {};
  /** Called with the error of the first invalid field, or with an empty text. */
  onFault = () => {};
  /** Returns the parameters of the spring in another convention; null if they are not known. */
  translate = () => null;

  /** Builds the form in `root`; the choice of the convention is at `place`, or in the form without one. */
  constructor(root, label, conventions, value, place = null) {
    this.#label = label;
    this.#conventions = new Map(conventions.map((convention) => [convention.id, convention]));
    this.#select = element(
      'select',
      { 'aria-label': `Convention of ${label}`, onchange: () => this.#choose(this.#select.value) },
      byPlatform(conventions, ({ id }) => platformOf(id), ({ id, title }) => element('option', { value: id }, title)),
    );
    this.#presets.setAttribute('aria-label', `Preset of ${label}`);
    this.#presets.addEventListener('change', () => this.#takePreset());
    const choice = element('label', { class: 'field' }, 'Convention: the parameters of a platform', this.#select);
    root.replaceChildren(
      element('label', { class: 'field' }, 'Start from a preset', this.#presets),
      ...(place ? [] : [choice]),
      this.#fields,
    );
    place?.replaceChildren(this.#select);
    this.presets = [];
    this.value = value;
  }

  /** Sets the named springs, and chooses the one that the form has. */
  set presets(presets) {
    this.#presets.replaceChildren(
      element('option', { value: '' }, 'Your own'),
      ...byPlatform(presets, ({ platform }) => platformOf(platform), (preset) =>
        element('option', { value: JSON.stringify([preset.convention, preset.parameters]) }, preset.name),
      ),
    );
    this.#presets.value = this.#value ? JSON.stringify([this.#value.convention, this.#value.parameters]) : '';
    if (this.#presets.selectedIndex < 0) this.#presets.value = '';
  }

  get value() {
    return this.#value;
  }

  set value(value) {
    // An alias, or the convention of an old link, is shown as its convention.
    const known = this.#conventions.get(value.convention) ?? this.#byAlias(value.convention);
    if (!known) return this.onFault('');
    this.#value = { convention: known.id, parameters: rounded(value.parameters) };
    this.#select.value = known.id;
    this.#faults.clear();
    this.#fields.replaceChildren(...known.parameters.map((parameter) => this.#field(known.id, parameter)));
    this.onFault('');
  }

  /** Shows other values of the same convention without replacing the fields. */
  show(parameters) {
    this.#value = { ...this.#value, parameters };
    for (const { name, default: standard } of this.#conventions.get(this.#value.convention).parameters) {
      const [slider, typed] = this.#fields.querySelectorAll(`[data-name="${name}"] input`);
      // A switch has no value of its own.
      if (!typed) continue;
      slider.value = String(parameters[name] ?? standard);
      typed.value = shortened(parameters[name] ?? standard);
      this.#mark(typed, name, null);
    }
    this.#presets.value = '';
  }

  #byAlias(name) {
    return [...this.#conventions.values()].find(({ aliases }) => aliases.includes(name));
  }

  #takePreset() {
    if (this.#presets.value === '') return;
    const chosen = this.#presets.value;
    const [convention, parameters] = JSON.parse(chosen);
    this.value = { convention, parameters };
    this.#presets.value = chosen;
    this.onChange(this.#value);
  }

  #choose(id) {
    const { parameters } = this.#conventions.get(id);
    const same = this.translate(id);
    const names = parameters.map(({ name }) => name);
    const value = same ?? Object.fromEntries(parameters.map((one) => [one.name, one.default ?? 1]));
    const kept = Object.entries(value).filter(([name]) => names.includes(name));
    this.value = { convention: id, parameters: Object.fromEntries(kept) };
    this.onChange(this.#value);
  }

  #set(name, value) {
    this.#value = { ...this.#value, parameters: { ...this.#value.parameters, [name]: value } };
    this.#presets.value = '';
    this.onChange(this.#value);
  }

  #mark(typed, name, error) {
    if (error) this.#faults.set(name, error);
    else this.#faults.delete(name);
    typed.setAttribute('aria-invalid', String(Boolean(error)));
    this.onFault(this.#faults.values().next().value ?? '');
  }

  #field(convention, parameter) {
    const { name, unit } = parameter;
    const value = this.#value.parameters[name] ?? parameter.default;
    if (parameter.type === 'boolean') {
      const box = element('input', { type: 'checkbox', checked: value, onchange: () => this.#set(name, box.checked) });
      return element('label', { class: 'check' }, box, spaced(name));
    }
    const range = sliderRange(convention, parameter);
    const title = spaced(name);
    const text = `${title}${unit ? `, ${unit}` : ''}`;
    const slider = element('input', { type: 'range', ...range, value, 'aria-label': `${text} of ${this.#label}` });
    const typed = element('input', {
      type: 'text',
      inputmode: 'decimal',
      autocomplete: 'off',
      spellcheck: 'false',
      value: shortened(value),
      'aria-label': `${text} of ${this.#label}, typed`,
      'aria-invalid': 'false',
    });
    slider.addEventListener('input', () => {
      typed.value = shortened(Number(slider.value));
      this.#mark(typed, name, null);
      this.#set(name, Number(slider.value));
    });
    typed.addEventListener('input', () => {
      const { value: number, error } = readNumber(typed.value, title, parameter);
      this.#mark(typed, name, error);
      if (error) return;
      slider.value = String(number);
      this.#set(name, number);
    });
    return element(
      'div',
      { class: 'parameter', dataset: { name } },
      element('span', { class: 'parameter-name' }, text),
      slider,
      typed,
    );
  }
}

/** Returns options in a group for each platform. */
function byPlatform(list, platform, option) {
  const groups = new Map();
  for (const one of list) groups.set(platform(one), [...(groups.get(platform(one)) ?? []), one]);
  return [...groups].map(([label, members]) => element('optgroup', { label }, members.map(option)));
}

/** Returns the label of a parameter, such as "Damping ratio" for `dampingRatio`. */
function spaced(name) {
  const words = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replace(/ ms$/, '');
  return words[0].toUpperCase() + words.slice(1);
}
