// A new session for a bar whose old one has ended: a body to create it with, and the events that bring it to where the
// bar stands, so that nothing jumps.

/** The height of content that has no end anywhere near. */
const ENDLESS = 1e9;

/** `{ body, events }` for `POST /v1/bars` and the first batch; `layout` is where the new session has to arrive. */
export function restoration(layout) {
  const { settings, snapshot } = layout;
  const { configuration } = settings;
  const { offset, isExpandedStateAvailable, scrollable, previousContentOffset, baseInsetBottom } = snapshot;
  const { x } = scrollable.contentOffset;
  const normal = -configuration.normalStateHeight;
  const at = (y) => ({ type: 'contentOffset', contentOffset: { x, y } });
  // Endless content at its top, which the bar follows point by point.
  const blank = {
    ...scrollable,
    contentOffset: { x, y: normal },
    contentSize: { ...scrollable.contentSize, height: ENDLESS },
    contentInset: { ...scrollable.contentInset, bottom: 0 },
  };
  const events = [at(normal)];
  if (isExpandedStateAvailable || offset < normal) events.push({ type: 'panGesture', state: 'began' });
  // A bar that gave way to a pull has its stretch back with the next event.
  const height = Math.min(-offset, configuration.expandedStateHeight);
  if (-height !== normal) events.push(at(-height));
  // The real view comes last: attaching it moves neither the bar nor, after the offset that follows, the content.
  const contentInset = { ...scrollable.contentInset, bottom: baseInsetBottom };
  events.push({ type: 'set', scrollable: { ...scrollable, contentInset } });
  if (previousContentOffset) events.push({ type: 'contentOffset', contentOffset: scrollable.contentOffset });
  return { body: { ...settings, scrollable: blank }, events };
}
