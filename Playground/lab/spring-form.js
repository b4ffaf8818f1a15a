// A spring as its convention says it: a choice, and for each parameter a slider and the number itself.

import { element } from '../dom.js';
import { platformOf } from './platforms.js';
import { sliderRange } from './ranges.js';

export class SpringForm {
  #root;
  #conventions;
  #label;
  #value;
  #fields = element('div', { class: 'parameters' });
  #select;
  /** Called with `{ convention, parameters }`. */
  onChange = () => {};
  /** Asked for the same spring in another convention; answers its parameters, or null when nobody knows. */
  translate = () => null;

  constructor(root, label, conventions, value) {
    this.#root = root;
    this.#label = label;
    this.#conventions = new Map(conventions.map((convention) => [convention.id, convention]));
    this.#select = element(
      'select',
      { 'aria-label': `Convention of ${label}`, onchange: () => this.#choose(this.#select.value) },
      [...Map.groupBy(conventions, ({ id }) => platformOf(id))].map(([platform, members]) =>
        element('optgroup', { label: platform }, members.map(({ id, title }) => element('option', { value: id }, title))),
      ),
    );
    root.replaceChildren(element('label', { class: 'field' }, 'Convention', this.#select), this.#fields);
    this.value = value;
  }

  get value() {
    return this.#value;
  }

  set value(value) {
    // An alias, or the convention of an old link, is shown as the one it stands for.
    const known = this.#conventions.get(value.convention) ?? this.#byAlias(value.convention);
    if (!known) return;
    this.#value = { convention: known.id, parameters: { ...value.parameters } };
    this.#select.value = known.id;
    this.#fields.replaceChildren(...known.parameters.map((parameter) => this.#field(known.id, parameter)));
  }

  #byAlias(name) {
    return [...this.#conventions.values()].find(({ aliases }) => aliases.includes(name));
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
    this.onChange(this.#value);
  }

  #field(convention, parameter) {
    const { name, unit } = parameter;
    const value = this.#value.parameters[name] ?? parameter.default;
    if (parameter.type === 'boolean') {
      const box = element('input', { type: 'checkbox', checked: value, onchange: () => this.#set(name, box.checked) });
      return element('label', { class: 'check' }, box, spaced(name));
    }
    const range = sliderRange(convention, parameter);
    const text = `${spaced(name)}${unit ? `, ${unit}` : ''}`;
    const slider = element('input', { type: 'range', ...range, value, 'aria-label': `${text} of ${this.#label}` });
    const typed = element('input', {
      type: 'number',
      step: 'any',
      value: shortened(value),
      'aria-label': `${text} of ${this.#label}, typed`,
    });
    slider.addEventListener('input', () => {
      typed.value = shortened(Number(slider.value));
      this.#set(name, Number(slider.value));
    });
    typed.addEventListener('input', () => {
      if (!typed.validity.valid || typed.value === '') return;
      slider.value = typed.value;
      this.#set(name, Number(typed.value));
    });
    return element('div', { class: 'parameter' }, element('span', { class: 'parameter-name' }, text), slider, typed);
  }
}

/** `dampingRatio` as people write it. */
function spaced(name) {
  const words = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0].toUpperCase() + words.slice(1);
}

/** What fits a small field; the exact number stays in the state until somebody changes it. */
function shortened(value) {
  return value === undefined ? '' : String(Number(Number(value).toPrecision(6)));
}
