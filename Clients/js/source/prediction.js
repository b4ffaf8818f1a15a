// A bar twice: as the service has confirmed it, and as it is shown.
//
//     shown = confirmed + pending events + pending changes of tracks
//
// When what is confirmed turns out otherwise than it was predicted, what is pending is applied again on top of it.

import { BarLayout } from './bar-layout.js';
import { EventQueue } from './event-queue.js';
import { restoration } from './restoration.js';

/** A difference by less, in points, is not worth a command. */
export const NOTICEABLE = 0.5;

export class Prediction {
  queue = new EventQueue();
  /** Changes of tracks that the service has not confirmed. */
  trackChanges = {};
  /** How many events and changes of tracks the service has confirmed, of whichever writer. */
  revision = 0;
  confirmed;
  shown;

  constructor(body) {
    this.begin(body);
    this.shown = new BarLayout(this.confirmed);
  }

  /** The confirmed bar is a new one. */
  begin(body) {
    this.confirmed = new BarLayout(body);
  }

  /** Applies a checked event to what is shown, and queues it. */
  predict(event) {
    const outcome = this.shown.applyChecked(event);
    this.queue.pending.push({ event, commands: outcome.commands });
    return outcome;
  }

  /** Applies what the service has applied; null where too little is known here, which `adopt` makes up for. */
  confirm(event) {
    try {
      return this.confirmed.apply(event);
    } catch {
      return null;
    }
  }

  setTracks(changes) {
    this.shown.setTracks(changes);
    Object.assign(this.trackChanges, changes);
  }

  /** The service has made these changes of tracks; those that were made since are still to come. */
  confirmTracks(changes, revision) {
    this.revision = revision;
    this.confirmed.setTracks(changes);
    for (const [name, track] of Object.entries(changes)) {
      if (this.trackChanges[name] === track) delete this.trackChanges[name];
    }
  }

  /** Applies all that is pending to a copy of `confirmed`: `{ commands, refused }`, the changed commands and faults. */
  renew() {
    const [commands, refused] = [[], []];
    const shown = new BarLayout(this.confirmed);
    shown.setTracks(this.trackChanges);
    this.queue.pending = this.queue.pending.filter((entry) => {
      const { event, isRestoring } = entry;
      try {
        const outcome = shown.applyChecked(event);
        if (!isRestoring && differ(outcome.commands, entry.commands)) commands.push(...outcome.commands);
        entry.commands = outcome.commands;
      } catch (problem) {
        // It was about a view that another writer has put aside.
        refused.push({ problem, events: [event] });
        return false;
      }
      return true;
    });
    this.shown = shown;
    return { commands, refused };
  }

  /** Goes over to a new session: answers the body that makes it, and queues what brings it to where the bar stood. */
  startAnew(mark) {
    const goal = new BarLayout(this.confirmed);
    const own = this.queue.pending.filter(({ isRestoring, event }) => !isRestoring || !goal.applyChecked(event));
    const { body, events } = restoration(goal);
    this.begin(body);
    this.queue.restart();
    this.revision = 0;
    this.queue.pending = [...events.map((event) => ({ event: mark(event), isRestoring: true })), ...own];
    return body;
  }
}

/** Whether two lists of commands move something elsewhere. */
export function differ(some, others) {
  const isOther = (a, b) =>
    a.scrollableId !== b.scrollableId || a.animated !== b.animated || Math.abs(a.y - b.y) > NOTICEABLE;
  return some.length !== others.length || some.some((command, index) => isOther(command, others[index]));
}
