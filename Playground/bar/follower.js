// The second screen: knows nothing but the session's name, and shows the same bar a moment later.

import { animateEase, animateSpring } from '../motion/animation.js';
import { figure, part } from '../dom.js';
import { BarView, look, mix } from './bar-view.js';

export class Follower {
  #root;
  #bars;
  #view;
  #stop = () => {};
  #animation = null;
  #id = null;

  constructor(root, bars) {
    this.#root = root;
    this.#bars = bars;
    this.#view = new BarView(part(root, 'bar'));
    // A stream is one of the few connections that a browser opens to a host; a hidden page has no use for it.
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#close() : this.#open()));
  }

  /** Follows a session from now on. */
  follow(id) {
    this.#id = id;
    this.#open();
  }

  #open() {
    this.#close();
    if (this.#id === null) return;
    this.#tell('connecting');
    this.#stop = this.#bars.follow(this.#id, {
      onState: (bar) => this.#show(bar),
      onEnd: (reason) => this.#tell(`ended: ${reason}`),
      onLost: (isFinal) => this.#tell(isFinal ? 'lost' : 'reconnecting'),
    });
  }

  #close() {
    this.#stop();
    this.#stop = () => {};
  }

  #show(bar) {
    this.#tell('live');
    this.#animation?.stop();
    const from = this.#view.shown;
    const to = look(bar);
    const command = bar.commands?.findLast((one) => one.animated);
    const step = (progress) => this.#view.show(mix(from, to, progress));
    if (!command || !from) this.#view.show(to);
    else if (command.spring) {
      this.#animation = animateSpring({ ...command.spring, initialVelocity: command.spring.relativeVelocity }, step);
    } else this.#animation = animateEase(command.duration, step);
    const reading = part(this.#root, 'follower-height');
    reading.value = String(bar.state.height);
    reading.textContent = figure(bar.state.height);
    this.#root.dataset.revision = String(bar.revision);
  }

  #tell(state) {
    part(this.#root, 'follower-state').textContent = state;
    this.#root.dataset.state = state;
  }
}
