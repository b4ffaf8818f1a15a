// What a designer takes from a spring: values for Figma, a CSS variable, a line for Tailwind, a design token, the plot.

import { copyButton } from '../shared/copy-button.js';
import { element, figure, part } from '../shared/dom.js';
import { query } from './state.js';

export class TakeAlong {
  #plot;
  #texts = {};
  #codes = {};

  constructor(root) {
    this.#plot = part(root, 'take-plot');
    const row = ([name, title]) => {
      const code = (this.#codes[name] = element('code', {}));
      const copy = copyButton(`the ${title}`, () => this.#texts[name]);
      return element('li', {}, element('span', { class: 'take-name' }, title), code, copy);
    };
    part(root, 'take').replaceChildren(...Object.entries(TITLES).map(row));
  }

  /** Shows what follows from a response of `GET /v1/springs`, for a state of the lab. */
  showSpring({ spring, conventions }, { a, initialVelocity }) {
    const { mass, stiffness, damping } = conventions.figma.parameters;
    const isPossible = [mass, stiffness, damping].every(Number.isFinite);
    const values = Object.entries({ stiffness, damping, mass });
    const text = isPossible && values.map(([name, value]) => `${name} ${Number(value.toFixed(2))}`).join(', ');
    this.#show('figma', text || 'Figma has no such spring');
    const [dampingRatio, response] = [spring.dampingRatio, spring.response].map((one) => Number(one.toPrecision(6)));
    this.#show('token', JSON.stringify({ spring: { $type: 'spring', $value: { dampingRatio, response } } }));
    this.#plot.href = `/v1/springs/plot.svg?${new URLSearchParams(query(a, initialVelocity))}`;
  }

  /** Shows what follows from a response of `GET /v1/springs/linear`. */
  showEasing({ css, duration }) {
    const time = `${figure(duration * 1000, 0)}ms`;
    this.#show('variable', `--spring: ${time} ${css};`);
    this.#show('tailwind', `@theme { --ease-spring: ${css} } /* class="transition ease-spring duration-[${time}]" */`);
  }

  #show(name, text) {
    this.#texts[name] = text;
    this.#codes[name].textContent = text;
  }
}

const TITLES = {
  figma: 'Figma values',
  variable: 'CSS variable',
  tailwind: 'Tailwind line',
  token: 'Design token',
};
