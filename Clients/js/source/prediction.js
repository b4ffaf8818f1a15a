// Two copies of a bar: the confirmed one and the shown one.
//
//     shown = confirmed + pending events + pending changes of tracks
//
// If the confirmed bar differs from the prediction, the pending events are applied to it again.

import { BarLayout } from './bar-layout.js';
import { EventQueue } from './event-queue.js';

/** A smaller difference, in points, needs no command. */
export const NOTICEABLE = 0.5;
/** The most changes of tracks in a request. */
const CHANGES = 256;

export class Prediction {
  queue = new EventQueue();
  /** Unconfirmed changes of tracks. */
  trackChanges = {};
  /** The number of confirmed events and changes of tracks, of all writers. */
  revision = 0;
  /** The `ETag` of the state on which a change of tracks was refused; the log is read after that. */
  refusalTag = null;
  confirmed;
  shown;
  /** The service's last values of tracks that this client does not know: those of a session that it continues. */
  #foreignValues = {};
  /** The changes of tracks in the log since the shown bar was made. */
  #logged = {};

  constructor(body) {
    this.begin(body);
    this.shown = new BarLayout(this.confirmed);
  }

  /** Starts with a new confirmed bar. */
  begin(body) {
    this.confirmed = new BarLayout(body);
  }

  /** Applies a checked event to the shown bar and, with `isQueued`, queues it. */
  predict(event, isQueued) {
    const outcome = this.shown.applyChecked(event);
    if (isQueued) this.queue.pending.push({ event, commands: outcome.commands });
    return outcome;
  }

  /** Applies an event of the service's log; returns null if data is missing here, which `adopt` supplies. */
  confirm(event) {
    try {
      return this.confirmed.apply(event);
    } catch {
      return null;
    }
  }

  /** Whether changes of tracks are not confirmed. */
  get hasTracks() {
    return Object.keys(this.trackChanges).length > 0;
  }

  /** The changes of one request; removals are first, so that the bar has room for the tracks after them. */
  get nextTracks() {
    const changes = Object.entries(this.trackChanges).sort(([, one], [, other]) => (one !== null) - (other !== null));
    return Object.fromEntries(changes.slice(0, CHANGES));
  }

  /** The values of the tracks of the shown bar. */
  get values() {
    return { ...this.#foreignValues, ...this.shown.values };
  }

  /** Keeps the service's values of tracks that this client does not know; returns whether they have changed. */
  adoptValues(values) {
    if (!values || this.hasTracks) return false;
    const known = this.shown.values;
    const foreign = Object.fromEntries(Object.entries(values).filter(([name]) => !Object.hasOwn(known, name)));
    const isChanged = JSON.stringify(foreign) !== JSON.stringify(this.#foreignValues);
    this.#foreignValues = foreign;
    return isChanged;
  }

  setTracks(changes, isQueued) {
    const copy = this.shown.setTracks(changes);
    for (const name in copy) delete this.#foreignValues[name];
    if (isQueued) this.trackChanges = { ...this.trackChanges, ...copy };
  }

  /** The condition of a change of tracks: a revision is the tag of most bars. */
  get condition() {
    return this.refusalTag ?? `"${this.revision}"`;
  }

  /** Confirms changes of tracks; later ones stay pending. */
  confirmTracks(changes, revision) {
    this.revision = revision;
    this.refusalTag = null;
    this.confirmed.setTracks(changes);
    for (const name in changes) if (this.trackChanges[name] === changes[name]) delete this.trackChanges[name];
  }

  /** Applies a change of tracks of the service's log. */
  confirmLogged({ tracks, revision }) {
    this.confirmed.setTracks(tracks);
    this.#logged = { ...this.#logged, ...tracks };
    this.revision = Math.max(this.revision, revision);
  }

  /**
   * Applies everything pending to a copy of `confirmed`: `{ commands, refused }`, the changed commands and the faults.
   */
  renew() {
    const [commands, refused] = [[], []];
    const shown = new BarLayout(this.confirmed);
    shown.setTracks(this.trackChanges);
    this.queue.pending = this.queue.pending.filter((entry) => {
      const { event } = entry;
      try {
        const outcome = shown.applyChecked(event);
        if (differ(outcome.commands, entry.commands)) commands.push(...outcome.commands);
        entry.commands = outcome.commands;
      } catch (problem) {
        // The event was about a view that another writer has detached.
        refused.push({ problem, events: [event] });
        return false;
      }
      return true;
    });
    this.shown = shown;
    for (const name in { ...this.#logged, ...shown.values }) delete this.#foreignValues[name];
    this.#logged = {};
    return { commands, refused };
  }

  /** Prepares a new session in which a bar goes on, by default the confirmed one; returns the body that creates it. */
  startAnew({ body } = this.confirmed) {
    this.begin(body);
    this.queue.restart();
    this.queue.doubt(false);
    this.revision = 0;
    this.refusalTag = null;
    return body;
  }
}

/** Returns whether two lists of commands move content to different offsets. */
export function differ(some, others) {
  return some.length !== others.length || some.some((a, index) => {
    const b = others[index];
    return a.scrollableId !== b.scrollableId || a.animated !== b.animated || Math.abs(a.y - b.y) > NOTICEABLE;
  });
}
