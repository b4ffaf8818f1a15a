// Lets a bar follow a scrolling list. Movements of the list are events of a session, which applies them in the same
// frame; its insets and commands move the list. The service confirms or corrects the result.

import { adviseBar, adviseConnection, adviseList } from './advice.js';
import { animateEase, animateSpring } from './animation.js';
import { ListDriver } from './list-driver.js';
import { ListView } from './list-view.js';
import { lookOf, mix, paint } from './look.js';
import { Emitter } from './springbar.js';

/** Seconds that UIKit's animations take without a spring. */
const DURATION = 0.25;
/** The spring to the height of a bar that was stopped, the one of a correction. */
const CATCH = { dampingRatio: 1, response: 0.3 };
/** The controllers of the elements that are followed: an element has one follower. */
const followed = new WeakMap();

export class BarFollower extends Emitter {
  #draw;
  #bar;
  #mouse;
  #body;
  #lists = new Map();
  #current;
  #session;
  #animation = null;
  /** The rest of a correction, in points, and its animation. */
  #residue = 0;
  #correction = null;
  /** The drawn bar without the rest of a correction. */
  #look = null;
  #isPreview = false;
  #isPanning = false;
  /** The last request to expand; null after a later gesture. */
  #wish = null;
  #controller = new AbortController();
  /** The end of the session, after `stop()`. */
  #end = null;

  /**
   * `bar` is the element to draw or a function that draws. `id` is the list's name in the session; with `mouse`, a
   * mouse drags the list. `results`, `explain`, `queueLimit` and `signal` are those of a session, the rest is the body
   * of its creation without the view.
   */
  constructor(springbar, list, { bar, id = 'main', mouse = false, results, explain, queueLimit, signal, ...settings }) {
    super();
    // It may have been aborted while this module was loaded.
    signal?.throwIfAborted();
    if (!list?.style || (typeof bar !== 'function' && !bar?.style)) {
      throw new TypeError('The list must be an element, and bar an element or a function that draws.');
    }
    this.#draw = typeof bar === 'function' ? bar : (look) => paint(bar, look);
    this.#bar = bar;
    this.#mouse = mouse;
    this.#body = settings;
    try {
      this.#current = this.#listOf(list, id);
      this.#body = { ...settings, scrollable: this.#view.scrollable };
      this.#session = springbar.bar(this.#body, { results, explain, queueLimit });
      this.#begin(springbar, signal);
    } catch (problem) {
      this.stop()?.catch(() => {});
      throw problem;
    }
  }

  #begin({ connection }, signal) {
    this.#session.on('change', (result) => this.#apply(result));
    this.#session.on('correction', (correction) => this.#correct(correction));
    for (const name of ['confirm', 'rest']) this.#session.on(name, () => this.emit('activity'));
    const stop = () => this.stop().catch(() => {});
    // A page that the browser keeps continues when it is shown again.
    addEventListener('pagehide', ({ persisted }) => persisted || stop(), { signal: this.#controller.signal });
    signal?.addEventListener('abort', stop, { signal: this.#controller.signal });
    const leave = this.#session.on('connection', ({ problem }) => {
      leave();
      adviseConnection(problem, connection);
    });
    this.#apply(this.#session.created);
    if (typeof this.#bar !== 'function') adviseBar(this.#bar, this.#view);
    // The first offset of an attached list is only remembered.
    this.#sendOffset();
  }

  /** The session, with the predicted and the confirmed bar. */
  get session() {
    return this.#session;
  }

  /** The body of the session's creation. */
  get body() {
    return this.#body;
  }

  /** The attached element. */
  get list() {
    return this.#view.element;
  }

  /** The list's content offset in points; minus the top inset at its beginning. */
  get y() {
    return this.#view.y;
  }

  /** Whether nothing moves and every event is confirmed. A finger may be down, if it does not move. */
  get isAtRest() {
    return this.#session.isSettled && !this.#animation && !this.#correction && !this.#current.driver.isMoving;
  }

  /** Whether the bar is open or opens. */
  get isOpen() {
    const { isExpandedStateAvailable, transitionProgress } = this.#session.state;
    return this.#wish ?? (isExpandedStateAvailable && transitionProgress > 1);
  }

  /** Opens or closes the bar, with an animation. */
  expand(on = true) {
    if (this.#isStopped) return;
    this.#still();
    this.#wish = on;
    if (!on && this.#isEchoed) this.#collapseByPan();
    else this.#send({ type: 'expand', on });
  }

  /** Puts another list under the bar; `id` is its name. */
  attach(list, id) {
    if (this.#isStopped || (list === this.list && id === this.#view.id)) return;
    this.#still();
    this.#wish = null;
    this.#current = this.#listOf(list, id);
    // The page has removed them; a page that shows one again attaches it again.
    for (const { view, controller } of this.#lists.values()) {
      if (view !== this.#view && !view.element.isConnected) controller.abort();
    }
    this.#view.measure();
    this.#send({ type: 'set', scrollable: this.#view.scrollable });
    this.#sendOffset();
    // The previous list does not report the end of its gesture any more.
    if (this.#isPanning) this.#sendPan('ended', 0);
  }

  /** Shows another bar, such as one of the past, with the list at `y`; movements of the list are then ignored. */
  preview(bar, y = null) {
    if (this.#isStopped) return;
    this.#still();
    this.#isPreview = true;
    this.#show(lookOf(bar));
    this.#view.setInset(bar.scrollable.contentInset);
    if (y !== null) this.#view.moveTo(y);
  }

  /** Ends a preview; the list goes to `y`. */
  resume(y) {
    if (this.#isStopped) return;
    this.#isPreview = false;
    this.#view.setInset(this.#session.scrollable.contentInset);
    this.#view.moveTo(y);
    this.#show(lookOf(this.#session));
  }

  /** Releases the list and the bar as they are, and ends the session. */
  stop() {
    this.#still();
    this.#correction?.stop();
    this.#controller.abort();
    for (const { controller } of this.#lists.values()) controller.abort();
    return (this.#end ??= this.#session?.end());
  }

  get #view() {
    return this.#current.view;
  }

  /** Whether the list and the bar are released. */
  get #isStopped() {
    return this.#controller.signal.aborted;
  }

  get #isEchoed() {
    return this.#body.feedback === 'echoed';
  }

  #listOf(element, id) {
    const known = this.#lists.get(element);
    if (known) {
      known.view.id = id;
      return known;
    }
    // A component may be mounted before the one that it replaces is unmounted.
    followed.get(element)?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    const { normalStateHeight: top = 0, expandedStateHeight } = this.#body.configuration ?? {};
    const view = new ListView(id, element, top, signal);
    // Another list may be scrolled, too, such as one beside it; it has no effect on the bar.
    const ifCurrent = (action) => (...values) => (view === this.#view ? action(...values) : 0);
    const report = {
      touched: ifCurrent(() => this.#touched()),
      offset: ifCurrent(() => this.#sendOffset()),
      pan: ifCurrent((state, velocity) => this.#sendPan(state, velocity)),
    };
    adviseList(element, view);
    const driver = new ListDriver(view, report, { mouse: this.#mouse, signal });
    driver.canPull = ifCurrent(() => this.#session.state.height < expandedStateHeight);
    driver.distanceToState = ifCurrent((direction) => this.#distanceToState(direction));
    view.onResize = ifCurrent((change) => this.#resized(change));
    const list = { view, driver, controller };
    this.#lists.set(element, list);
    followed.set(element, controller);
    signal.addEventListener('abort', () => {
      this.#lists.delete(element);
      if (list === this.#current && !this.#isStopped) this.stop().catch(() => {});
    });
    return list;
  }

  /** Stops an animation; returns whether there was one. */
  #touched() {
    const wasAnimated = this.#animation !== null;
    this.#still();
    if (wasAnimated) this.#catch();
    this.#wish = null;
    this.emit('touch');
    this.emit('activity');
    return wasAnimated;
  }

  /** Sends an event. During a preview, only changes of a size are sent. */
  #send(event, isSize = false) {
    if (this.#isPreview && !isSize) return;
    try {
      this.#session.send(event);
    } catch (problem) {
      this.#session.emit('problem', { problem, events: [event] });
    }
    this.emit('activity');
  }

  /** `source` is `animation` for the bar's own moves with `echoed` feedback, which have no tolerance. */
  #sendOffset(source) {
    this.#send({ type: 'contentOffset', contentOffset: { x: 0, y: this.#view.y }, source });
  }

  #sendPan(state, velocity) {
    this.#isPanning = state === 'began' || state === 'changed';
    const event = { type: 'panGesture', state };
    if (velocity !== undefined) event.velocity = { x: 0, y: velocity };
    this.#send(event);
  }

  /** A bar goes from one of its three heights to the next as the list scrolls by their difference. */
  #distanceToState(direction) {
    const { configuration, options } = this.#body;
    if (options?.snap === 'none') return 0;
    const { height } = this.#session.state;
    const heights = Object.values(configuration);
    const isBetween = height > Math.min(...heights) && height < Math.max(...heights);
    if (!isBetween || heights.includes(height)) return 0;
    if (direction > 0) return height - Math.max(...heights.filter((one) => one < height));
    return direction && height - Math.min(...heights.filter((one) => one > height));
  }

  #resized(change) {
    // Near its top, the list of a larger content would be moved, which a finger prevents.
    const isHeld = this.#current.driver.isHeld && this.#view.y <= 0;
    if ((change.anchored || isHeld) && !this.#isPreview) return this.#reattach(change.anchored);
    if (change.frame) this.#send({ type: 'frame', frame: this.#view.frame }, true);
    if (change.size) this.#send({ type: 'contentSize', contentSize: this.#view.size }, true);
  }

  /**
   * Attaches the list again, because content before the anchor has changed and the list has moved by `distance` with it,
   * or because a finger holds it. It has another offset and size then without a scroll. While a command is carried out,
   * the offset is its target.
   */
  #reattach(distance) {
    const y = this.#session.snapshot.scrollable.contentOffset.y + distance;
    const contentOffset = { x: 0, y };
    this.#send({ type: 'set', scrollable: { ...this.#view.scrollable, contentOffset } });
    this.#send({ type: 'contentOffset', contentOffset });
  }

  /** Applies the insets at once, then the commands in order; the last animated one moves together with the bar. */
  #apply(result) {
    const { view, driver } = this.#current;
    if (this.#isPreview || this.#isStopped || result.scrollable.id !== view.id) return;
    view.setInset(result.scrollable.contentInset);
    // A finger moves the list itself.
    const commands = driver.isHeld ? [] : result.commands.filter(({ scrollableId }) => scrollableId === view.id);
    for (const command of commands.filter(({ animated }) => !animated)) view.moveTo(command.y);
    const animated = commands.findLast((command) => command.animated);
    if (animated) this.#run(animated, this.#look ?? lookOf(result), lookOf(result));
    else if (!this.#animation || this.#isEchoed) this.#show(lookOf(result));
    // After all listeners have heard of the commands.
    if (result.commands.length > 0) queueMicrotask(() => this.#settle());
  }

  /** Reports the offset of a list that the session has elsewhere: it was moved, or a finger holds it. */
  #settle() {
    if (this.#animation) return;
    // A finger has prevented an expansion.
    this.#wish = null;
    if (this.#session.snapshot.scrollable.contentOffset.y === this.#view.y) return;
    this.#sendOffset(this.#isEchoed ? 'animation' : undefined);
  }

  /** Shows the difference of a correction, which a spring takes to zero. */
  #correct({ from, to, spring }) {
    const rest = this.#residue + from - to;
    this.#correction?.stop();
    const correction = (this.#correction = animateSpring(spring, (position) => {
      this.#residue = rest * (1 - position);
      this.#show(this.#look);
    }));
    this.#residue = rest;
    correction.finished.then((hasArrived) => {
      if (!hasArrived) return;
      this.#correction = null;
      this.emit('activity');
    });
  }

  #show(look) {
    this.#look = look;
    const height = look.height + this.#residue;
    this.#draw({ ...look, height });
    this.#view.setBar(height);
  }

  /**
   * Reports the offset at which an animation was stopped: with `applied` feedback, the session has the list at its
   * target. The rules may give that offset another bar, since the bar does not move with the list everywhere.
   */
  #catch() {
    const { height: from } = this.#look;
    this.#sendOffset();
    const { height: to } = this.#look;
    // As in a correction, a smaller difference is not noticeable.
    if (Math.abs(to - from) <= 0.5) return;
    this.#correct({ from, to, spring: CATCH });
    this.#show(this.#look);
  }

  /** Animates bar and list together, as in one animation block of UIKit. */
  #run({ y, spring, duration }, from, to) {
    const view = this.#view;
    this.#still();
    const { y: start, drift } = view;
    const step = (progress) => {
      view.moveTo(y - (y - start) * (1 - progress) + view.drift - drift);
      // With `applied` feedback the session knows the target; otherwise every step is reported.
      if (this.#isEchoed) this.#sendOffset('animation');
      else this.#show(mix(from, to, progress));
    };
    this.#animate(spring ? animateCommand(spring, step) : animateEase(duration, step));
  }

  /**
   * Closes an echoed bar by a pan. The response to `expand` sets the normal inset before the first echo. AirBar ignores
   * offsets above the inset, so its bar would stay open.
   */
  #collapseByPan() {
    const view = this.#view;
    const start = view.y;
    const end = -this.#body.configuration.normalStateHeight;
    this.#sendPan('began');
    const step = (progress) => {
      view.moveTo(start + (end - start) * progress);
      this.#sendOffset('animation');
      this.#sendPan('changed');
    };
    this.#animate(animateEase(DURATION, step), () => this.#sendPan('ended', 0));
  }

  /** Registers an animation; calls `arrived()` at its end unless it was stopped. */
  #animate(mine, arrived = () => {}) {
    this.#animation = mine;
    mine.finished.then((hasArrived) => {
      if (this.#animation === mine) this.#animation = null;
      if (hasArrived) {
        arrived();
        // Changes during the animation were not shown yet.
        if (!this.#isPreview) this.#show(lookOf(this.#session));
        this.#wish = null;
      }
      this.emit('activity');
    });
  }

  #still() {
    this.#animation?.stop();
    this.#animation = null;
    this.#current?.driver.stop();
  }
}

/** Follows the spring of a command from 0 to 1. */
export function animateCommand(spring, apply) {
  return animateSpring({ ...spring, initialVelocity: spring.relativeVelocity }, apply);
}
