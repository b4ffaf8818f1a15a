// The gallery: every named spring as a small thing that moves by it.

import { Spring } from '/client/springbar.js';
import { prefersStillness } from '/client/follow.js';
import { element, figure, part, svg } from '../shared/dom.js';
import { rovingFocus } from '../shared/roving-focus.js';
import { platformOf } from '../springs/platforms.js';

/** The number of points of a curve, and the longest motion in seconds. */
const [POINTS, LONGEST] = [72, 4];
/** Milliseconds between the first motions of two neighbours. */
const APART = 45;

/** Fills the gallery with `presets`, which have a platform, a name, a convention, parameters and a spring. */
export function startGallery(section, presets) {
  const tiles = presets.map((preset) => new Tile(preset));
  const list = part(section, 'gallery');
  const choice = part(section, 'gallery-platform');
  const platforms = [...new Set(tiles.map(({ platform }) => platform))];
  choice.append(...platforms.map((name) => element('option', {}, name)));
  const show = () => {
    const chosen = tiles.filter(({ platform }) => !choice.value || platform === choice.value);
    list.replaceChildren(...chosen.map(({ node }) => node));
    return chosen;
  };
  choice.addEventListener('change', () => playAll(show()));
  part(section, 'gallery-play').addEventListener('click', () => {
    for (const tile of tiles) if (tile.node.isConnected) tile.play(true);
  });
  show();
  rovingFocus(list, 'a');
  // Each moves once when it is first seen.
  const observer = new IntersectionObserver(
    (entries) => {
      const seen = entries.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target);
      for (const node of seen) observer.unobserve(node);
      playAll(tiles.filter(({ node }) => seen.includes(node)));
    },
    { threshold: 0.5 },
  );
  for (const { node } of tiles) observer.observe(node);
  section.setAttribute('aria-busy', 'false');
}

function playAll(tiles) {
  tiles.forEach((tile, index) => setTimeout(() => tile.play(false), index * APART));
}

/** A name in code may break behind its underscores and brackets, and between its words. */
function breakable(name) {
  return name.split(/(?<=[_(])|(?<=[a-z])(?=[A-Z])/).flatMap((part) => [part, element('wbr')]);
}

class Tile {
  #positions;
  #seconds;
  #excess;
  #thing = element('span', { class: 'tile-thing' });
  #isAway = false;

  constructor(preset) {
    const { dampingRatio, response } = preset.spring;
    const spring = new Spring({ dampingRatio, response });
    this.#seconds = Math.min(LONGEST, spring.settlingTime() ?? LONGEST);
    const at = (index) => spring.position((this.#seconds * index) / POINTS);
    this.#positions = Array.from({ length: POINTS + 1 }, (_, index) => at(index));
    this.#excess = Math.max(0, ...this.#positions) - 1;
    this.platform = platformOf(preset.platform);
    const query = new URLSearchParams({ convention: preset.convention, ...preset.parameters });
    const numbers = `${figure(dampingRatio, 2)} · ${figure(response, 2)} s`;
    const link = element(
      'a',
      { class: 'tile', href: `/?${query}#springs`, dataset: { preset: query } },
      element(
        'span',
        { class: 'tile-stage', 'aria-hidden': 'true' },
        this.#curve(),
        element('span', { class: 'tile-way' }, this.#thing),
      ),
      element('span', { class: 'tile-name' }, ...breakable(preset.name.replace(/STIFFNESS_|DAMPING_RATIO_/g, ''))),
      element('span', { class: 'tile-platform' }, this.platform),
      element('span', { class: 'tile-numbers' }, numbers),
    );
    for (const type of ['pointerenter', 'focus']) link.addEventListener(type, () => this.play(false));
    this.node = element('li', {}, link);
    this.#rest();
  }

  /** Moves to the other side; with `isAsked` also if the system requests reduced motion. */
  play(isAsked) {
    if (prefersStillness() && !isAsked) return;
    if (this.#thing.getAnimations().some(({ playState }) => playState === 'running')) return;
    this.#isAway = !this.#isAway;
    const frames = this.#positions.map((position) => ({ transform: this.#at(position) }));
    this.#rest();
    this.#thing.animate(frames, { duration: this.#seconds * 1000 });
  }

  #rest() {
    this.#thing.style.transform = this.#at(1);
  }

  /** Returns the transform for a position; the way has space for the overshoot at both ends. */
  #at(position) {
    const place = ((this.#isAway ? position : 1 - position) + this.#excess) / (1 + 2 * this.#excess);
    return `translateX(${(place * 100).toFixed(2)}%)`;
  }

  #curve() {
    const highest = 1 + this.#excess;
    const points = this.#positions.map((position, index) =>
      `${((100 * index) / POINTS).toFixed(1)},${(38 - (34 * position) / highest).toFixed(1)}`);
    const view = { viewBox: '0 0 100 40', preserveAspectRatio: 'none' };
    return svg('svg', view, svg('polyline', { points: points.join(' ') }));
  }
}
