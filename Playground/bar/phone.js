// The phone: lists under a bar. What moves a list goes to the session, what the session answers is done here.

import { Problem } from '../api/springbar.js';
import { animateEase, animateSpring } from '../motion/animation.js';
import { look, mix } from './bar-view.js';
import { ListDriver } from './list-driver.js';
import { BarSession } from './session.js';
import { tracks } from './tracks.js';

export class Phone {
  #bars;
  #barView;
  #lists;
  #current;
  #session = null;
  #settings = null;
  #animation = null;
  #last = null;
  /** Grows with every start, so that one that was overtaken notices. */
  #starts = 0;

  /** Called with each answer and the events that it answers. */
  onAnswer = () => {};
  /** Called with a session and its first bar, whenever one starts. */
  onSession = () => {};
  onConnection = () => {};
  /** Called with an error that nobody can do anything about. */
  onError = () => {};
  /** Called when a finger touches a list. */
  onTouch = () => {};
  /** Called when `isAtRest` may have changed. */
  onActivity = () => {};

  /** `lists` are `ScrollView`s; the first one is attached. */
  constructor(bars, barView, lists) {
    this.#bars = bars;
    this.#barView = barView;
    this.#lists = new Map(lists.map((view) => [view.id, { view, driver: this.#drive(view) }]));
    this.#current = lists[0].id;
  }

  get session() {
    return this.#session;
  }

  /** The bar as the service last answered it. */
  get bar() {
    return this.#last;
  }

  get list() {
    return this.#lists.get(this.#current).view;
  }

  /** Whether nothing moves and every event has been answered. A finger may be down, if it keeps still. */
  get isAtRest() {
    return Boolean(this.#session?.isIdle) && !this.#animation && !this.#lists.get(this.#current).driver.isMoving;
  }

  /** Starts anew under `settings`: `{ configuration, feedback, options }`. */
  async start(settings) {
    this.#settings = settings;
    const mine = (this.#starts += 1);
    this.#session?.end();
    this.#session = null;
    this.#stop();
    this.onActivity();
    const list = this.list;
    list.measure();
    list.setInset({ top: settings.configuration.normalStateHeight, bottom: 0 });
    list.moveTo(list.minimumY);
    const { session, bar } = await BarSession.start(this.#bars, { ...settings, tracks, scrollable: list.scrollable });
    // The settings may have changed again meanwhile; then this session is nobody's.
    if (mine !== this.#starts) return void session.end();
    session.onActivity = () => this.onActivity();
    session.onAnswer = (answer, batch) => this.#take(answer, batch);
    session.onProblem = (error) => this.#recover(error);
    session.onConnection = (isUp) => this.onConnection(isUp);
    this.#session = session;
    this.#apply(bar);
    this.onSession(session, bar);
    // The first offset of an attached list only tells the bar where it starts.
    this.#sendOffset();
  }

  /** Opens or closes the bar as a button would. */
  expand(on) {
    this.#stop();
    this.#session?.send({ type: 'expand', on });
  }

  /** Puts another list under the bar. */
  swap(id) {
    if (id === this.#current) return;
    this.#stop();
    this.list.element.hidden = true;
    this.#current = id;
    this.list.element.hidden = false;
    this.list.measure();
    this.#session?.send({ type: 'set', scrollable: this.list.scrollable });
    this.#sendOffset();
  }

  /** Shows a bar of the past, with the list where it was; nothing is sent. */
  showPast(bar, y) {
    this.#stop();
    this.#barView.show(look(bar));
    this.list.setInset(bar.scrollable.contentInset);
    if (y !== null) this.list.moveTo(y);
  }

  /** Back to the present: the list returns to `y`, where it was before. */
  showPresent(y) {
    this.list.setInset(this.#last.scrollable.contentInset);
    this.list.moveTo(y);
    this.#barView.show(look(this.#last));
  }

  #drive(view) {
    const driver = new ListDriver(view, {
      touched: () => {
        this.#stop();
        this.onTouch();
        this.onActivity();
      },
      offset: () => this.#sendOffset(),
      pan: (state, velocity) => this.#sendPan(state, velocity),
    });
    driver.canPull = () => this.#last && this.#last.state.height < this.#settings.configuration.expandedStateHeight;
    view.onResize = (change) => this.#resized(view, change);
    return driver;
  }

  #sendOffset() {
    this.#session?.send({ type: 'contentOffset', contentOffset: { x: 0, y: this.list.y } });
  }

  #sendPan(state, velocity) {
    const event = { type: 'panGesture', state };
    if (velocity !== undefined) event.velocity = { x: 0, y: velocity };
    this.#session?.send(event);
  }

  #resized(view, change) {
    if (view !== this.list) return;
    if (change.frame) this.#session?.send({ type: 'frame', frame: view.frame });
    if (change.size) this.#session?.send({ type: 'contentSize', contentSize: view.size });
  }

  #take(bar, batch) {
    const from = this.#barView.shown;
    this.#apply(bar, from);
    this.onAnswer(bar, batch);
  }

  /** Insets at once; then the commands in order, the last animated one together with the bar. */
  #apply(bar, from = null) {
    this.#last = bar;
    const { view, driver } = this.#lists.get(this.#current);
    if (bar.scrollable.id !== view.id) return;
    view.setInset(bar.scrollable.contentInset);
    // Whoever holds the list moves it; the session learns the real offset with the next event.
    const commands = driver.isHeld ? [] : bar.commands.filter((command) => command.scrollableId === view.id);
    for (const command of commands.filter((command) => !command.animated)) view.moveTo(command.y);
    const animated = commands.findLast((command) => command.animated);
    if (animated) this.#run(animated, from ?? look(bar), look(bar));
    else if (!this.#animation) this.#barView.show(look(bar));
  }

  /** Bar and list move as one, as inside one animation block of UIKit. */
  #run(command, from, to) {
    const { view, driver } = this.#lists.get(this.#current);
    this.#stop();
    this.#session.dropOffsets();
    driver.stop();
    const start = view.y;
    const isEchoed = this.#settings.feedback === 'echoed';
    const step = (progress) => {
      view.moveTo(start + (command.y - start) * progress);
      // An applied command is known to the session; one that waits for its echo is told every step.
      if (isEchoed) this.#sendOffset();
      else this.#barView.show(mix(from, to, progress));
    };
    const { spring, duration } = command;
    this.#animation = spring
      ? animateSpring({ ...spring, initialVelocity: spring.relativeVelocity }, step)
      : animateEase(duration, step);
    const mine = this.#animation;
    mine.finished.then((hasArrived) => {
      if (this.#animation === mine) this.#animation = null;
      // What was answered on the way has not been shown yet.
      if (hasArrived) this.#barView.show(look(this.#last));
      this.onActivity();
    });
  }

  #stop() {
    this.#animation?.stop();
    this.#animation = null;
    this.#lists.get(this.#current).driver.stop();
  }

  async #recover(error) {
    // Sessions end when nobody writes for a while. A new one goes on from the top.
    const isGone = error instanceof Problem && error.code === 'bar-not-found';
    try {
      await this.start(this.#settings);
      if (!isGone) this.onError(error);
    } catch (second) {
      this.onError(second);
    }
  }
}
