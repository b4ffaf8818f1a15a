// AirBar's controller as a value: it takes events and returns commands. The operations and their order are those of the
// service's bar, so both give the same bits. `Sources/BarLayout` has the reasons, `Tests/Vectors/bar.json` the cases.
//
// Offsets are negative heights: a larger offset is a smaller bar. Lengths are points, and y grows downwards. Parts of a
// view are replaced and never changed in place, so a copy of a bar is a copy of two objects.

import { checkedBody, checkedEvent, checkedTracks, limited } from './bar-events.js';
import { crossings, mapped, TOLERANCE, trackValue } from './bar-values.js';
import { Problem } from './problem.js';
import { DECELERATION, project, relativeVelocity, rubberband } from './projection.js';

/** The distance from the top, in points, within which a pan may open the bar. */
const TOP_TOLERANCE = 5;
const { max, min, abs } = Math;

/** A bar, the view that it is attached to, and the observed values. */
export class BarLayout {
  /** The constant `{ configuration, feedback, options, offsets }`, and the running command. */
  #rules;
  /** All values that are kept from one event to the next. */
  #bar;
  /** The tracks by name; replaced and never changed. */
  #tracks;

  /** Creates a bar from the body of `POST /v1/bars`, or copies another one. */
  constructor(origin) {
    if (origin instanceof BarLayout) {
      this.#rules = origin.#rules;
      this.#bar = { ...origin.#bar, scrollable: { ...origin.#bar.scrollable } };
      this.#tracks = origin.#tracks;
      this.created = origin.created;
      return;
    }
    const { scrollable, snapshot, configuration, feedback = 'applied', options = {}, tracks = {} } = checkedBody(origin);
    const offsets = Object.values(configuration).map((height) => -height);
    this.#rules = { configuration, feedback, options, offsets };
    this.#tracks = tracks;
    this.#bar = snapshot ?? { offset: offsets[1], isExpandedStateAvailable: false };
    /** The result of the attachment; without commands if there is none. */
    this.created = this.#run((turn) => scrollable && turn.set(scrollable));
  }

  /** All values that events change. */
  get snapshot() {
    return limited(this.#bar);
  }

  /** The bar's state, as in the contract. */
  get state() {
    const { offset, isExpandedStateAvailable } = this.#bar;
    const [compact, normal, expanded] = this.#rules.offsets;
    const isLower = offset > normal;
    return {
      offset: offset + 0,
      height: 0 - offset,
      isExpandedStateAvailable,
      transitionProgress: isLower ? mapped(offset, normal, compact, 1, 0) : mapped(offset, expanded, normal, 2, 1),
      stateRange: isLower ? 'compactNormal' : 'normalExpanded',
    };
  }

  /** The insets of the attached view. */
  get scrollable() {
    return written(this.#bar.scrollable, this.#rules);
  }

  /** The values of the tracks. */
  get values() {
    const { state } = this;
    return Object.fromEntries(Object.entries(this.#tracks).map(([name, track]) => [name, trackValue(track, state) + 0]));
  }

  /** The body of a new bar that goes on where this one is. */
  get body() {
    const { snapshot } = this;
    const { configuration, feedback, options } = this.#rules;
    return { configuration, snapshot, feedback, options, tracks: this.#tracks };
  }

  /** Sets tracks by name; null removes a track. Returns a copy of the changes; throws what the service would refuse. */
  setTracks(changes) {
    const copy = checkedTracks(changes);
    const tracks = Object.entries({ ...this.#tracks, ...copy }).filter(([, track]) => track);
    this.#tracks = checkedTracks(Object.fromEntries(tracks), '', false);
    return copy;
  }

  /** Applies an event. Throws and changes nothing if the service would refuse it. */
  apply(event) {
    return this.applyChecked(checkedEvent(event));
  }

  /** Applies the result of `checkedEvent`, and keeps parts of it. */
  applyChecked(event) {
    const { id } = this.#bar.scrollable;
    if ((event.scrollableId ?? id) !== id) {
      throw Problem.refused('scrollable-mismatch', '/scrollableId', `\`${id}\` is attached`, 409);
    }
    return this.#run((turn) => turn[event.type](event[event.type] ?? event.scrollable ?? event, event));
  }

  /** Returns whether the service reports the same bar. */
  agrees({ state, scrollable }) {
    return compared(this.#bar, this.#bar.scrollable) === compared(state, scrollable);
  }

  /** Adopts the service's bar, as far as the answer tells it. */
  adopt({ state: { offset, isExpandedStateAvailable }, scrollable: { id, contentInset }, snapshot }) {
    if (snapshot) this.#bar = snapshot;
    Object.assign(this.#bar, { offset, isExpandedStateAvailable });
    this.#bar.scrollable.id = id;
    inset(this.#bar.scrollable, contentInset);
  }

  #run(action) {
    const { offset } = this.#bar;
    const turn = new Turn(this.#bar, this.#rules);
    const preconfigured = action(turn);
    return {
      commands: turn.commands,
      crossings: crossings(offset, this.#bar.offset, this.#rules.offsets),
      ...(preconfigured && { preconfigured }),
    };
  }
}

/** Applies one event. Each type has a method of its name, which takes the member of that type. */
class Turn {
  commands = [];
  #bar;
  #view;
  #rules;
  #options;
  #offsets;

  constructor(bar, rules) {
    this.#bar = bar;
    this.#view = bar.scrollable;
    this.#rules = rules;
    this.#options = rules.options;
    this.#offsets = rules.offsets;
  }

  // Attachment and preparation of views.

  set(scrollable) {
    const bar = this.#bar;
    this.#releaseStretch();
    const view = (this.#view = bar.scrollable = { ...scrollable });
    bar.baseInsetBottom = this.#baseInsetBottom(view);
    const target = this.#prepareNew(view, bar.baseInsetBottom);
    if (target && this.#isApplied) view.contentOffset = target;
    bar.previousContentOffset = this.#fixes('primeOnAttach') ? (target ?? view.contentOffset) : undefined;
    bar.previousContentSize = undefined;
  }

  preconfigure(scrollable) {
    const view = scrollable.id === this.#view.id ? this.#view : { ...scrollable };
    if (view === this.#view) this.#prepareAttached();
    else this.#prepareNew(view, this.#baseInsetBottom(view));
    return written(view, this.#rules);
  }

  /** Prepares a view which is not attached yet: its top inset belongs to an earlier bar. */
  #prepareNew(view, base) {
    const target = this.#prepare(view, base, 0);
    if (target) this.#command(view, target, false);
    return target;
  }

  #prepareAttached(isAfterSizeChange) {
    const [start] = this.#limits;
    const target = this.#prepare(this.#view, this.#bar.baseInsetBottom, this.#extraTop, isAfterSizeChange);
    this.#settle(start);
    if (target) this.#moveContent(target.y, false);
  }

  /** Writes the insets that a view needs under the current bar. Returns the offset its content must move to, if any. */
  #prepare(view, base, extra, isAfterSizeChange) {
    const { offset, isExpandedStateAvailable } = this.#bar;
    const [, normal, expanded] = this.#offsets;
    // `<=` here and `<` below differ on purpose: at exactly normal, a bar that may expand gets room but does not pull.
    inset(view, {
      top: extra - (offset <= normal && isExpandedStateAvailable ? expanded : normal),
      bottom: this.#bottom(view, base),
    });
    const { x, y } = view.contentOffset;
    const isAtTop = y <= (isAfterSizeChange && this.#fixes('contentSizeRatchet') ? offset - extra : 0);
    if (isAtTop || (offset < normal && isExpandedStateAvailable)) return { x, y: (this.#options.resistance ? max(offset, this.#leastOffset) : offset) - extra };
  }

  /**
   * Commands the content to an offset. With `applied` feedback, it observes the current offset again and then that one.
   */
  #moveContent(y, animated, spring) {
    const view = this.#view;
    const target = { ...view.contentOffset, y };
    this.#command(view, target, animated, spring);
    if (!this.#isApplied) return;
    this.#observe(view.contentOffset);
    view.contentOffset = target;
    this.#observe(target, true);
  }

  #command(view, target, animated, spring) {
    this.commands.push({
      type: 'updateContentOffset',
      scrollableId: view.id,
      x: target.x + 0,
      y: target.y + 0,
      animated,
      duration: animated ? 0.25 : 0,
      stopsDeceleration: true,
      ...(spring && { spring }),
    });
  }

  // Effects of the content's moves and growth on the bar.

  contentOffset(offset, { source }) {
    // Samples of the bar's own animation: the target was observed when the command was given.
    if (source && this.#isApplied) return;
    this.#view.contentOffset = offset;
    this.#observe(offset, source);
  }

  contentSize(size) {
    const { previousContentSize: previous } = this.#bar;
    this.#view.contentSize = size;
    if (previous?.width === size.width && previous.height === size.height) return;
    this.#bar.previousContentSize = size;
    this.#prepareAttached(true);
  }

  frame(frame) {
    const view = this.#view;
    view.frame = frame;
    // Without the fix, the bar does not know which part of the inset is its own, so it takes nothing away.
    const base = this.#fixes('baseInset') ? this.#bar.baseInsetBottom : view.contentInset.bottom;
    inset(view, { bottom: this.#bottom(view, base) });
  }

  contentInset(contentInset) {
    this.#view.contentInset = contentInset;
    const view = this.#view;
    this.#bar.baseInsetBottom = this.#baseInsetBottom(view);
    if (this.#fixes('baseInset')) inset(view, { bottom: this.#bottom(view, contentInset.bottom) });
  }

  /** Moves the bar by a move of the content; one of the bar's own animation has no tolerance. */
  #observe({ x, y: actual }, isOwn) {
    const { previousContentOffset: previous } = this.#bar;
    const y = isOwn ? actual : this.#followed(actual);
    if (previous?.x === x && previous.y === y) return;
    if (previous) this.#reduce(previous.y, y);
    this.#bar.previousContentOffset = { x, y };
  }

  /** The y that the bar follows: up to `tolerance` points behind content that moves down; see R5 in docs/rules.md. */
  #followed(y) {
    const { tolerance = 0 } = this.#options;
    return max(y - tolerance, min(y, max(this.#bar.previousContentOffset?.y ?? y, this.#limits[0])));
  }

  #reduce(previousY, y) {
    this.#releaseStretch();
    const bar = this.#bar;
    const leastOffset = this.#leastOffset;
    const { resistance, reopen } = this.#options;
    const [start, end] = this.#limits;
    let delta = y - previousY;
    if (this.#trimsOverscroll) delta = this.#atRest(y) - this.#atRest(previousY);
    else {
      if (previousY < start || y < start) delta += min(0, previousY - start);
      if (previousY > end || y > end) delta += max(0, previousY - end);
    }
    const { offset } = bar;
    // At the top, the content's edge opens the bar.
    const least = reopen === 'top' ? max(leastOffset, min(offset, y + this.#extraTop)) : leastOffset;
    // Adding and subtracting the offset, as AirBar does, keeps the same rounding.
    if (delta > 0) delta = min(this.#offsets[0], offset + delta) - offset;
    else delta = max(least, offset + delta) - offset;
    bar.offset = offset + delta;
    if (resistance && bar.offset <= leastOffset) bar.offset -= rubberband(max(0, start - y), resistance);
  }

  /** Ends a pull above the start before, which the content below a larger top inset does not have; see R7. */
  #settle(start) {
    const { previousContentOffset: previous } = this.#bar;
    if (!this.#trimsOverscroll || this.#limits[0] >= start || !(previous?.y < start)) return;
    this.#releaseStretch();
    this.#bar.previousContentOffset = { ...previous, y: start };
  }

  #releaseStretch() {
    if (this.#options.resistance) this.#bar.offset = max(this.#bar.offset, this.#leastOffset);
  }

  // Decisions at the end of a pan, and requests to open or close the bar.

  panGesture({ state, velocity }) {
    const bar = this.#bar;
    const view = this.#view;
    const { y } = view.contentOffset;
    const extra = this.#extraTop;
    const top = this.#offsets[1] - extra;
    if (state === 'began') {
      const isAtTop = y >= top - TOP_TOLERANCE && y <= top + TOP_TOLERANCE;
      const mayExpand = isAtTop || (y < top && bar.isExpandedStateAvailable);
      const [start] = this.#limits;
      inset(view, { top: extra - this.#offsets[mayExpand ? 2 : 1] });
      this.#settle(start);
      bar.isExpandedStateAvailable = mayExpand;
    } else if (state === 'changed') {
      if (!bar.isExpandedStateAvailable || this.#followed(y) <= top) return;
      bar.isExpandedStateAvailable = false;
      inset(view, { top: -top });
    } else if (state === 'ended' || (this.#options.snapOnCancel && state !== 'possible')) this.#snap(velocity?.y ?? 0);
  }

  expand({ on }) {
    const bar = this.#bar;
    const view = this.#view;
    const y = this.#offsets[on ? 2 : 1] - this.#extraTop;
    const [start] = this.#limits;
    if (on && this.#trimsOverscroll) inset(view, { top: -y });
    this.#settle(start);
    if (on) bar.isExpandedStateAvailable = true;
    this.#moveContent(y, true);
    inset(view, { top: -y });
    if (on || !this.#fixes('clearExpandedOnCollapse')) return;
    bar.isExpandedStateAvailable = false;
    // The permission may have opened it on its way up.
    if (this.#isApplied) bar.offset = max(bar.offset, this.#offsets[1]);
  }

  #snap(velocity) {
    const { snap = 'nearest', reopen, clampTargets, resistance, decelerationRate: rate = 'normal' } = this.#options;
    if (snap === 'none') return;
    const { offset } = this.#bar;
    const isProjected = snap === 'projected';
    const goal = isProjected ? offset + project(velocity, DECELERATION[rate] ?? rate) : offset;
    const { y } = this.#view.contentOffset;
    const followed = this.#followed(y);
    // Away from the top, a bar that opens only there cannot grow.
    const isFree = reopen !== 'top' || followed + this.#extraTop <= offset + TOLERANCE;
    // The nearest state; the smaller bar on a tie.
    const resting = (isProjected ? this.#reachable : this.#offsets)
      .filter((level) => isFree || level > min(offset, this.#offsets[0]) - TOLERANCE)
      .reduce((best, one) => (abs(one - goal) < abs(best - goal) ? one : best));
    const distance = resting - offset;
    if (distance === 0) return;
    let target = (isProjected ? this.#atRest(followed) : followed) + distance;
    if (resistance && offset < this.#leastOffset) target = this.#atRest(y) + (resting - this.#leastOffset);
    if (clampTargets && (target = this.#atRest(target)) === y) return;
    // A flick may bounce, a plain release must not (springs of WWDC 2018).
    const spring = velocity === 0
      ? { dampingRatio: 1, response: 0.4, relativeVelocity: 0 }
      : { dampingRatio: 0.8, response: 0.3, relativeVelocity: relativeVelocity(velocity, y, target) };
    this.#moveContent(target, true, isProjected && spring);
  }

  /** The states that a projected snap may choose. Expanded is one of them only while the bar may expand. */
  get #reachable() {
    const { offset, isExpandedStateAvailable } = this.#bar;
    const offsets = this.#offsets;
    const levels = isExpandedStateAvailable || offset < offsets[1] ? offsets : offsets.slice(0, 2);
    if (!this.#options.snapSequential) return levels;
    const isOnTheWay = (level, end) => min(end, offset) < level && level < max(end, offset);
    return levels.filter((end) => !levels.some((level) => isOnTheWay(level, end)));
  }

  get #isApplied() {
    return this.#rules.feedback === 'applied';
  }

  /** The offset of the largest bar that is allowed now. */
  get #leastOffset() {
    return this.#offsets[this.#bar.isExpandedStateAvailable ? 2 : 1];
  }

  /** Whether offsets are clamped to the content's ends; a resistance handles the over-scroll itself. */
  get #trimsOverscroll() {
    return this.#options.resistance || this.#fixes('overscroll');
  }

  /** The y of the content's beginning and end at rest. */
  get #limits() {
    const { contentInset, contentSize, frame } = this.#view;
    return [-contentInset.top, contentSize.height - frame.height + contentInset.bottom];
  }

  #atRest(y) {
    const [start, end] = this.#limits;
    return max(start, min(end, y));
  }

  #fixes(name) {
    return this.#options.fixes?.includes(name);
  }

  /** The client's part of the top inset, such as that of a refresh control. The bar's own part is one of its heights. */
  get #extraTop() {
    const { top } = this.#view.contentInset;
    const least = this.#leastOffset;
    return this.#fixes('baseInset') ? max(0, top + (top < -least ? this.#offsets[1] : least)) : 0;
  }

  /** The bottom inset with which the content can make the bar compact. */
  #bottom({ frame, contentSize }, base) {
    return max(base, frame.height + this.#offsets[0] - contentSize.height);
  }

  #baseInsetBottom(view) {
    return this.#fixes('baseInset') ? view.contentInset.bottom : 0;
  }
}

/** Returns what an answer tells of a bar, as a text. JSON writes doubles exactly. */
function compared({ offset, isExpandedStateAvailable }, { id, contentInset: { top, bottom } }) {
  return JSON.stringify([offset, isExpandedStateAvailable, id, top, bottom]);
}

function inset(view, edges) {
  view.contentInset = { ...view.contentInset, ...edges };
}

function written({ id, contentInset: { top, bottom } }, { configuration: { normalStateHeight } }) {
  return { id, contentInset: { top, bottom }, scrollIndicatorInsets: { top: normalStateHeight } };
}
