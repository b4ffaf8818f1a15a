// Elements within a list that scroll themselves: a box, a `<textarea>`, a carousel. A gesture belongs to the innermost
// scroller that can still move.

/**
 * Returns whether a gesture belongs to an element of `path`, the targets of its event from the innermost one on, before
 * `list`. `direction` is that of the scroll: 1 towards the end. With `isTouch`, elements that receive the touches of
 * their own, such as a slider, are among them.
 */
export function isTakenWithin(list, path, direction, isTouch) {
  for (const element of path) {
    if (element === list) return false;
    if (!(element instanceof Element)) continue;
    const { overflowY, overscrollBehaviorY, touchAction } = getComputedStyle(element);
    if (isTouch && !/auto|manipulation|pan-[yud]/.test(touchAction)) return true;
    const { scrollTop, scrollHeight, clientHeight } = element;
    if (!/auto|scroll/.test(overflowY) || scrollHeight <= clientHeight) continue;
    const rest = direction < 0 ? scrollTop : scrollHeight - clientHeight - scrollTop;
    if (rest >= 1 || overscrollBehaviorY !== 'auto') return true;
  }
  return false;
}
