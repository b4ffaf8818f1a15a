// Marks of events that are unique among writers, and names of creations.

import { checkedEvent } from './bar-events.js';

/** Returns a checked copy of an event with its mark: the time in whole milliseconds, and a random part below one. */
export function marked(event, { now, random }) {
  return { ...checkedEvent(event), timestamp: (Math.floor(now()) + random()) / 1000 };
}

/** Returns a name that no other client chooses. */
export function uniqueName({ random }) {
  return [0, 0, 0, 0].map(() => random().toString(36).slice(2, 10)).join('');
}
