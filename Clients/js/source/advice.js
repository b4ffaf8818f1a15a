// Advice in the console for pages on which a bar cannot follow its list.

import { hasColumns } from './anchor.js';

const name = ({ id, localName }) => `<${localName}${id && ` id="${id}"`}>`;
const warn = (text) => console.warn(`springbar: ${text} See "A bar that follows a list" in docs/clients.md.`);

/** Warns if an element does not scroll, or has a style that a bar turns off or cannot follow. */
export function adviseList(element, view) {
  const root = document.scrollingElement;
  if (hasColumns(element)) {
    warn(`${name(element)} has columns, which overflow sideways. Set columns on an element within it.`);
  } else if (!view.canScroll || (element === document.body && element !== root && !isOwnScroller(element))) {
    warn(`${name(element)} does not scroll. If the page does, pass document.scrollingElement; otherwise limit the height of ${
      name(element)}, and set overflow-y: scroll.`);
  }
  if (view.isReversed) {
    warn(`${name(element)} begins at its lower end, where a bar cannot follow it. `
      + 'Set flex-direction: column instead of column-reverse.');
  }
  if (view.snapType !== 'none') {
    warn(`scroll-snap-type of ${name(element)} is off, because it would snap every step of a gesture. Use the bar's own `
      + '`options.snap`, or let an element within the list snap.');
  }
}

/** The window scrolls instead of a body, unless its parent has an overflow of its own. */
const isOwnScroller = ({ parentElement }) => getComputedStyle(parentElement).overflowY !== 'visible';

/** Warns if the bar has its place before the list or in it, and not over its beginning. */
export function adviseBar(bar, view) {
  const { top, height } = bar.getBoundingClientRect();
  if (height === 0 || Math.abs(top - view.frameTop) < height) return;
  warn(`${name(bar)} must lie over the beginning of ${name(view.element)}: set position: ${
    view.isRoot ? 'fixed' : 'absolute'}; top: 0; z-index: 1.`);
}

/** Warns if no response came, which is also how a browser reports an origin that the service does not allow. */
export function adviseConnection(problem, { base }) {
  if (problem?.code !== 'unreachable' || base === '' || base === origin) return;
  const allowed = origin === 'null' ? '*' : origin;
  console.warn(`springbar: ${problem.message} At ${base}, SPRINGBAR_CORS_ORIGINS must allow ${allowed}.`);
}
