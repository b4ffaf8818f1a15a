// Replaces a session that has ended: a body to create a new one, and events that restore the state of the bar.

/** A height of content with an end that is never reached. */
const ENDLESS = 1e9;

/** Returns `{ body, events }` for `POST /v1/bars` and the first batch; `layout` is the state to restore. */
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
  // A bar that was stretched by a pull is stretched again by the next event.
  const height = Math.min(-offset, configuration.expandedStateHeight);
  if (-height !== normal) events.push(at(-height));
  // The real view is attached last. This moves neither the bar nor, after the following offset, the content.
  const contentInset = { ...scrollable.contentInset, bottom: baseInsetBottom };
  events.push({ type: 'set', scrollable: { ...scrollable, contentInset } });
  if (previousContentOffset) events.push({ type: 'contentOffset', contentOffset: scrollable.contentOffset });
  return { body: { ...settings, scrollable: blank }, events };
}
