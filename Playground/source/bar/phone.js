// The phone: lists under a bar, which the client lets follow them, in one session at a time.

import { follow } from '/client/follow.js';
import { tracks } from './tracks.js';

export class Phone {
  #springbar;
  #barView;
  #lists;
  #current;
  #follower = null;

  /** Called with the bar's state, insets and values when one of them may have changed. */
  onChange = () => {};
  /** Called with the service's bar when a session has an id, or another session replaces it. */
  onSession = () => {};
  /** Called with the service's response to a batch: `{ answer, events, milliseconds }`. */
  onAnswer = () => {};
  /** Called with `{ state, retryAt, problem }`. */
  onConnection = () => {};
  /** Called with a correction of more than half a point. */
  onCorrection = () => {};
  /** Called with a problem that ends the session. */
  onProblem = () => {};
  /** Called when a finger touches a list. */
  onTouch = () => {};
  /** Called when `isAtRest` may have changed. */
  onActivity = () => {};

  /** `lists` are scrolling elements by name; the first one is attached. */
  constructor(springbar, barView, lists) {
    this.#springbar = springbar;
    this.#barView = barView;
    this.#lists = lists;
    [this.#current] = Object.keys(lists);
  }

  /** The session, with the predicted and the confirmed bar. */
  get bar() {
    return this.#follower?.session;
  }

  /** The body of the session's creation. */
  get body() {
    return this.#follower?.body;
  }

  /** The attached list. */
  get list() {
    return this.#lists[this.#current];
  }

  /** The content offset of the list, in points. */
  get y() {
    return this.#follower.y;
  }

  /** Whether nothing moves and every event is confirmed. A finger may be down, if it does not move. */
  get isAtRest() {
    return this.#follower.isAtRest;
  }

  /** Whether the bar is open or opens. */
  get isOpen() {
    return this.#follower.isOpen;
  }

  /** Starts a new session with `settings`: `{ configuration, feedback, options }`. */
  start(settings) {
    this.#follower?.stop().catch(() => {});
    this.list.scrollTo({ top: 0, behavior: 'instant' });
    const follower = (this.#follower = follow(this.#springbar, this.list, {
      ...settings,
      bar: (look) => this.#barView.show(look),
      id: this.#current,
      tracks,
      mouse: true,
      results: 'all',
      explain: true,
    }));
    const { session } = follower;
    const isCurrent = (action) => (detail) => this.#follower === follower && action(detail);
    session.on('change', isCurrent((result) => this.onChange(result)));
    session.on('session', isCurrent((bar) => this.onSession(bar)));
    session.on('answer', isCurrent((answer) => this.onAnswer(answer)));
    session.on('correction', isCurrent((correction) => this.onCorrection(correction)));
    session.on('connection', isCurrent((connection) => this.onConnection(connection)));
    session.on('problem', isCurrent((problem) => this.onProblem(problem)));
    follower.on('touch', isCurrent(() => this.onTouch()));
    follower.on('activity', isCurrent(() => this.#tell()));
    this.onChange(session.created);
    this.onActivity();
  }

  /** Opens or closes the bar for the button. */
  toggle() {
    this.#follower.expand(!this.isOpen);
  }

  /** Puts another list under the bar. */
  swap(name) {
    if (name === this.#current) return;
    this.list.hidden = true;
    this.#current = name;
    this.list.hidden = false;
    this.#follower.attach(this.list, name);
  }

  /** Shows a past bar, `{ state, scrollable, values }`, with the list at `y`; sends nothing. */
  showPast(bar, y) {
    this.#follower.preview(bar, y);
  }

  /** Returns to the present, with the list at its previous offset `y`. */
  showPresent(y) {
    this.#follower.resume(y);
  }

  #tell() {
    this.onChange(this.bar);
    this.onActivity();
  }
}
