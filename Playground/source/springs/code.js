// The spring as code for every platform: the selected one first, the others collapsed, each with its losses.

import { copyButton } from '../shared/copy-button.js';
import { element, figure, part } from '../shared/dom.js';
import { rovingFocus } from '../shared/roving-focus.js';
import { platformOf } from './platforms.js';

const KEY = 'springbar.platform';
const FIRST = 'SwiftUI';

/** Further code for a convention, written from its own parameters. */
const ADDITIONS = {
  // The initialiser is in the sample code of the talk, not in UIKit.
  wwdc: {
    title: 'with this extension of UIKit, the sample code of the talk',
    text: () => `extension UISpringTimingParameters {
    convenience init(damping: CGFloat, response: CGFloat, initialVelocity: CGVector = .zero) {
        let frequency = 2 * CGFloat.pi / response
        self.init(
            mass: 1, stiffness: frequency * frequency, damping: 2 * damping * frequency, initialVelocity: initialVelocity)
    }
}`,
  },
  // Duration and bounce have the same meaning in Core Animation.
  uikit: {
    title: 'or, since iOS 17',
    text: ({ parameters, snippet: own }) => animateCall(parameters, Number(/dx: ([^,]+),/.exec(own)?.[1] ?? 0)),
  },
};

export class Code {
  #root;
  #titles;
  #select;
  #answer = null;
  #rows = new Map();

  /** `root` is the lab; `titles` maps a convention to its title. */
  constructor(root, titles) {
    this.#root = root;
    this.#titles = titles;
    this.#select = part(root, 'platform');
    const platforms = [...new Set([...titles.keys()].map(platformOf))].filter((name) => !['Physics'].includes(name));
    this.#select.replaceChildren(...platforms.map((name) => element('option', {}, name)));
    const kept = remembered();
    this.#select.value = platforms.includes(kept) ? kept : FIRST;
    this.#select.addEventListener('change', () => {
      remember(this.#select.value);
      this.#arrange();
    });
    rovingFocus(part(root, 'snippets'), '.copy');
  }

  /** Shows the `conventions` of a response of `GET /v1/springs`. */
  show(conventions) {
    this.#answer = conventions;
    const isSame = [...this.#rows.keys()].join() === Object.keys(conventions).join();
    if (!isSame) this.#rows = new Map(
      Object.keys(conventions).map((id) => [id, snippet(id, this.#titles.get(id) ?? id, () => this.#answer[id])]),
    );
    for (const [id, one] of Object.entries(conventions)) this.#rows.get(id).show(one);
    if (!isSame) this.#arrange();
    part(this.#root, 'code').setAttribute('aria-busy', 'false');
  }

  #arrange() {
    const rows = [...this.#rows].map(([id, { node }]) => ({ node, isMine: platformOf(id) === this.#select.value }));
    // The other conventions of the same platform are first among the others.
    const [first, ...more] = rows.filter(({ isMine }) => isMine);
    const others = [...more, ...rows.filter(({ isMine }) => !isMine)].map(({ node }) => node);
    part(this.#root, 'my-snippets').replaceChildren(first.node);
    part(this.#root, 'snippets').replaceChildren(...others);
    part(this.#root, 'others-count').textContent = String(others.length);
  }
}

/** Returns a card; `answer()` returns the newest response, for the button. */
function snippet(id, title, answer) {
  const badge = element('span', { class: 'badge' });
  const code = element('code', {});
  const pre = element('pre', {}, code);
  const warnings = element('ul', { class: 'warnings' });
  const copy = copyButton(`the code for ${title}`, () => answer().snippet);
  const more = ADDITIONS[id] && addition(ADDITIONS[id], answer);
  const node = element(
    'li',
    { class: 'snippet', dataset: { convention: id } },
    element('div', { class: 'snippet-head' }, element('h4', {}, platformOf(id)), badge, copy),
    element('p', { class: 'snippet-title' }, title),
    pre,
    more?.node,
    warnings,
  );
  return {
    node,
    show({ snippet: text, exact, maxDistance, warnings: told }) {
      const isPossible = Boolean(text);
      badge.className = exact ? 'badge' : 'badge is-off';
      badge.textContent = fidelity(isPossible, exact, maxDistance);
      copy.hidden = pre.hidden = !isPossible;
      code.textContent = text ?? '';
      more?.show();
      warnings.replaceChildren(...told.map(({ detail }) => element('li', {}, detail)));
    },
  };
}

/** Returns the further code of a card, with its own button. */
function addition({ title, text }, answer) {
  const code = element('code', {});
  const written = () => text(answer());
  return {
    node: element(
      'div',
      { class: 'addition' },
      element('p', { class: 'snippet-title' }, title, copyButton(title, written)),
      element('pre', {}, code),
    ),
    show: () => (code.textContent = written()),
  };
}

function fidelity(isPossible, exact, maxDistance) {
  if (exact) return 'exact';
  if (!isPossible) return 'not available';
  if (maxDistance === null || maxDistance === undefined) return 'not exact';
  return maxDistance < 1e-4 ? 'off by less than 0.01 %' : `off by ${figure(maxDistance * 100, 2)} %`;
}

/** Returns UIKit's call for a spring of mass, stiffness and damping. */
function animateCall({ mass = 1, stiffness, damping }, initialVelocity) {
  const ratio = damping / (2 * Math.sqrt(stiffness * mass));
  const [duration, bounce] = [2 * Math.PI * Math.sqrt(mass / stiffness), ratio <= 1 ? 1 - ratio : 1 / ratio - 1].map(
    (number) => String(Number(number.toFixed(9))),
  );
  const velocity = initialVelocity === 0 ? '' : `, initialSpringVelocity: ${initialVelocity}`;
  return `UIView.animate(springDuration: ${duration}, bounce: ${bounce}${velocity}) {\n    view.center = target\n}`;
}

/** A browser may refuse to store data. */
function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function remember(name) {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // The choice is then kept until the page is left.
  }
}
