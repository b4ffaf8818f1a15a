// The phone: lists under a bar. Movements of a list are events of the bar's session, which applies them in the same
// frame. The service confirms or corrects the result.

import { animateEase, animateSpring } from '../shared/animation.js';
import { look, mix } from '../shared/bar-view.js';
import { ListDriver } from './list-driver.js';
import { tracks } from './tracks.js';

/** Seconds that UIKit's animations take without a spring. */
const DURATION = 0.25;

export class Phone {
  #springbar;
  #barView;
  #lists;
  #current;
  #bar = null;
  #body = null;
  #animation = null;
  #isPast = false;
  /** The last request of the button; null after a later gesture. */
  #wish = null;

  /** Called with the bar's state, insets and values when one of them may have changed. */
  onChange = () => {};
  /** Called with a session when it has an id. */
  onSession = () => {};
  /** Called with the service's response to a batch: `{ answer, events, milliseconds }`. */
  onAnswer = () => {};
  /** Called with `{ isOnline, problem }`. */
  onConnection = () => {};
  /** Called with a correction of more than half a point. */
  onCorrection = () => {};
  /** Called with a problem that ends the session. */
  onProblem = () => {};
  /** Called when a finger touches a list. */
  onTouch = () => {};
  /** Called when `isAtRest` may have changed. */
  onActivity = () => {};

  /** `lists` are `ScrollView`s; the first one is attached. */
  constructor(springbar, barView, lists) {
    this.#springbar = springbar;
    this.#barView = barView;
    this.#lists = new Map(lists.map((view) => [view.id, { view, driver: this.#drive(view) }]));
    this.#current = lists[0].id;
  }

  /** The session, with the predicted and the confirmed bar. */
  get bar() {
    return this.#bar;
  }

  /** The body of the session's creation. */
  get body() {
    return this.#body;
  }

  get list() {
    return this.#lists.get(this.#current).view;
  }

  /** Whether nothing moves and every event is confirmed. A finger may be down, if it does not move. */
  get isAtRest() {
    return Boolean(this.#bar?.isSettled) && !this.#animation && !this.#driver.isMoving;
  }

  /** Whether the bar is open or opens. */
  get isOpen() {
    if (this.#wish !== null) return this.#wish;
    return Boolean(this.#bar) && this.#bar.state.isExpandedStateAvailable && this.#bar.state.transitionProgress > 1;
  }

  get #driver() {
    return this.#lists.get(this.#current).driver;
  }

  /** Starts a new session with `settings`: `{ configuration, feedback, options }`. */
  start(settings) {
    retire(this.#bar);
    this.#stop();
    this.#wish = null;
    const list = this.list;
    list.measure();
    list.setInset({ top: settings.configuration.normalStateHeight, bottom: 0 });
    list.moveTo(list.minimumY);
    this.#body = { ...settings, tracks, scrollable: list.scrollable };
    const bar = (this.#bar = this.#springbar.bar(this.#body, { results: 'all', explain: true }));
    const isCurrent = (action) => (detail) => this.#bar === bar && action(detail);
    bar.on('change', isCurrent((result) => this.#apply(result)));
    bar.on('session', isCurrent(() => this.onSession(bar)));
    bar.on('answer', isCurrent((answer) => this.onAnswer(answer)));
    bar.on('correction', isCurrent((correction) => this.onCorrection(correction)));
    bar.on('connection', isCurrent((connection) => this.onConnection(connection)));
    bar.on('problem', isCurrent((problem) => this.onProblem(problem)));
    for (const name of ['confirm', 'rest']) bar.on(name, isCurrent(() => this.onActivity()));
    this.#apply(bar.created);
    // The first offset of an attached list is only remembered.
    this.#sendOffset();
  }

  /** Opens or closes the bar for the button. */
  toggle() {
    const on = !this.isOpen;
    this.#stop();
    this.#wish = on;
    if (!on && this.#isEchoed) return this.#collapseByPan();
    this.#send({ type: 'expand', on });
  }

  /**
   * Closes an echoed bar by a pan. The response to `expand` sets the normal inset before the first echo. AirBar ignores
   * offsets above the inset, so its bar would stay open.
   */
  #collapseByPan() {
    const { view } = this.#lists.get(this.#current);
    const start = view.y;
    const end = -this.#body.configuration.normalStateHeight;
    this.#sendPan('began');
    this.#animate(
      animateEase(DURATION, (progress) => {
        view.moveTo(start + (end - start) * progress);
        this.#sendOffset();
        this.#sendPan('changed');
      }),
      () => this.#sendPan('ended', 0),
    );
  }

  /** Puts another list under the bar. */
  swap(id) {
    if (id === this.#current) return;
    this.#stop();
    this.#wish = null;
    this.list.element.hidden = true;
    this.#current = id;
    this.list.element.hidden = false;
    this.list.measure();
    this.#send({ type: 'set', scrollable: this.list.scrollable });
    this.#sendOffset();
  }

  /** Shows a past bar, `{ state, scrollable, values }`, with the list at `y`; sends nothing. */
  showPast(bar, y) {
    this.#stop();
    this.#isPast = true;
    this.#barView.show(look(bar));
    this.list.setInset(bar.scrollable.contentInset);
    if (y !== null) this.list.moveTo(y);
  }

  /** Returns to the present, with the list at its previous offset `y`. */
  showPresent(y) {
    this.#isPast = false;
    this.list.setInset(this.#bar.scrollable.contentInset);
    this.list.moveTo(y);
    this.#barView.show(look(this.#bar));
  }

  #drive(view) {
    const driver = new ListDriver(view, {
      touched: () => {
        this.#stop();
        this.#wish = null;
        this.onTouch();
        this.onActivity();
      },
      offset: () => this.#sendOffset(),
      pan: (state, velocity) => this.#sendPan(state, velocity),
    });
    driver.canPull = () => this.#bar !== null && this.#bar.state.height < this.#body.configuration.expandedStateHeight;
    view.onResize = (change) => this.#resized(view, change);
    return driver;
  }

  /** Movements are ignored while a past state is shown; a change of size is always reported. */
  #send(event, isSize = false) {
    if (this.#isPast && !isSize) return;
    try {
      this.#bar?.send(event);
    } catch (problem) {
      this.onProblem({ problem, events: [event] });
    }
    this.onActivity();
  }

  #sendOffset() {
    this.#send({ type: 'contentOffset', contentOffset: { x: 0, y: this.list.y } });
  }

  #sendPan(state, velocity) {
    const event = { type: 'panGesture', state };
    if (velocity !== undefined) event.velocity = { x: 0, y: velocity };
    this.#send(event);
  }

  #resized(view, change) {
    if (view !== this.list) return;
    if (change.frame) this.#send({ type: 'frame', frame: view.frame }, true);
    if (change.size) this.#send({ type: 'contentSize', contentSize: view.size }, true);
  }

  /** Applies the insets at once, then the commands in order; the last animated one moves together with the bar. */
  #apply(result) {
    this.onChange(result);
    if (this.#isPast) return;
    const { view } = this.#lists.get(this.#current);
    if (result.scrollable.id !== view.id) return;
    const from = this.#barView.shown;
    view.setInset(result.scrollable.contentInset);
    // A finger moves the list itself; the session gets the real offset with the next event.
    const commands = this.#driver.isHeld ? [] : result.commands.filter(({ scrollableId }) => scrollableId === view.id);
    for (const command of commands.filter(({ animated }) => !animated)) view.moveTo(command.y);
    const animated = commands.findLast((command) => command.animated);
    if (animated) this.#run(animated, from ?? look(result), look(result));
    else if (!this.#animation || this.#isEchoed) this.#barView.show(look(result));
  }

  get #isEchoed() {
    return this.#body.feedback === 'echoed';
  }

  /** Animates bar and list together, as in one animation block of UIKit. */
  #run(command, from, to) {
    const { view } = this.#lists.get(this.#current);
    this.#stop();
    const start = view.y;
    const step = (progress) => {
      view.moveTo(start + (command.y - start) * progress);
      // With `applied` feedback the session knows the target; otherwise every step is reported.
      if (this.#isEchoed) this.#sendOffset();
      else this.#barView.show(mix(from, to, progress));
    };
    const { spring, duration } = command;
    this.#animate(
      spring ? animateSpring(
        { ...spring, initialVelocity: spring.relativeVelocity },
        step,
      ) : animateEase(duration, step),
    );
  }

  /** Registers an animation; calls `arrived()` at its end unless it was stopped. */
  #animate(mine, arrived = () => {}) {
    this.#animation = mine;
    mine.finished.then((hasArrived) => {
      if (this.#animation === mine) this.#animation = null;
      if (hasArrived) arrived();
      // Changes during the animation were not shown yet.
      if (hasArrived && !this.#isPast) this.#barView.show(look(this.#bar));
      if (hasArrived) this.#wish = null;
      this.onChange(this.#bar);
      this.onActivity();
    });
  }

  #stop() {
    this.#animation?.stop();
    this.#animation = null;
    this.#driver.stop();
  }
}

/** Ends a session, even before it has an id. */
function retire(bar) {
  if (!bar) return;
  const end = () => bar.end().catch(() => {});
  if (bar.id !== null) end();
  else bar.on('session', end);
}
