// The second screen: shows a bar by the id of its session, from the event stream.

import { animateCommand, animateEase, lookOf, mix } from '/client/follow.js';
import { BarStream } from '../shared/bar-stream.js';
import { figure, part } from '../shared/dom.js';
import { BarView } from '../shared/bar-view.js';

export class Follower {
  #root;
  #connection;
  #exchanges;
  #view;
  #stream = null;
  #animation = null;
  #id = null;

  constructor(root, connection, exchanges) {
    this.#root = root;
    this.#connection = connection;
    this.#exchanges = exchanges;
    this.#view = new BarView(part(root, 'bar'));
    // A browser opens few connections to a host, so a hidden page closes its stream.
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#close() : this.#open()));
  }

  /** Follows the session with this id instead of the previous one. */
  follow(id) {
    this.#id = id;
    this.#open();
  }

  #open() {
    this.#close();
    if (this.#id === null) return;
    this.#tell('connecting');
    const address = this.#connection.address(`/v1/bars/${this.#id}/stream`, { commands: true });
    this.#stream = new BarStream(this.#exchanges, address, {
      state: (bar) => this.#show(bar),
      waiting: () => this.#tell('reconnecting'),
      over: (reason) => this.#tell(reason === 'missing' ? 'lost' : `ended: ${reason}`),
    });
  }

  #close() {
    this.#stream?.close();
    this.#stream = null;
  }

  #show(bar) {
    this.#tell('live');
    this.#animation?.stop();
    const from = this.#view.shown;
    const to = lookOf(bar);
    const command = bar.commands?.findLast((one) => one.animated);
    const step = (progress) => this.#view.show(mix(from, to, progress));
    if (!command || !from) this.#view.show(to);
    else if (command.spring) this.#animation = animateCommand(command.spring, step);
    else this.#animation = animateEase(command.duration, step);
    const reading = part(this.#root, 'follower-height');
    reading.value = String(bar.state.height);
    reading.textContent = figure(bar.state.height, 1);
    this.#root.dataset.revision = String(bar.revision);
  }

  #tell(state) {
    const node = part(this.#root, 'follower-state');
    if (node.textContent !== state) node.textContent = state;
    this.#root.dataset.state = state;
  }
}
