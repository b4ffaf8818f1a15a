// The element that keeps its place on the screen when the content before it changes, as the scroll anchoring of a browser
// chooses it (https://drafts.csswg.org/css-scroll-anchoring/#anchor-node-selection): the first one below an edge. Where
// an element crosses the edge, it is one within it.

/** Returns `{ element, top }` for the first element within `parent` below the y coordinate `edge` of the window, or null. */
export function anchorIn(parent, edge) {
  let anchor = null;
  for (let element = firstBelow(parent.children, edge); element; element = firstBelow(element.children, edge)) {
    anchor = { element, top: element.getBoundingClientRect().top };
    // Elements in columns do not follow each other downwards.
    if (anchor.top >= edge || hasColumns(element)) break;
  }
  return anchor;
}

/** Whether an element has CSS columns. */
export function hasColumns(element) {
  const { columnCount, columnWidth } = getComputedStyle(element);
  return columnCount + columnWidth !== 'autoauto';
}

/** Returns the first element that ends below the edge, by bisection: elements follow each other downwards. */
function firstBelow(elements, edge) {
  let [start, end] = [0, elements.length];
  while (start < end) {
    const middle = (start + end) >> 1;
    let index = middle;
    while (index < end && !isInFlow(elements[index])) index += 1;
    if (index < end && elements[index].getBoundingClientRect().bottom <= edge) start = index + 1;
    else end = middle;
  }
  while (start < elements.length && !isInFlow(elements[start])) start += 1;
  return elements[start];
}

/** Whether an element is drawn and moves with the content; a sticky one may stay. */
function isInFlow(element) {
  return element.getClientRects().length > 0 && /static|relative/.test(getComputedStyle(element).position);
}
