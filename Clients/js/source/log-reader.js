// Changes of other writers to a bar, from the service's log: `GET /v1/bars/{id}/events`.

/**
 * Returns a function that brings the confirmed bar to the end of the log, and returns `{ others, found, bar, hasGap }`: the
 * commands of other writers, the numbers of this client's events in the log, the service's bar if it was read, and
 * whether the log has not told all events.
 * After a failed request, another call of the same function continues: the pages before it are not read again.
 *
 * `request(method, part, options)` sends a request about the bar. `after` is the number to read on from. With `body`,
 * that of the bar's creation, the whole log is read. `isTrimmed` means that the log does not reach back far enough.
 */
export function logReader(request, prediction, { after, body, isTrimmed, signal }) {
  const { queue } = prediction;
  const [others, found] = [[], []];
  let hasGap = false;
  // A whole log may begin with another bar than that of `body`, so its end is compared with the service's.
  let isComplete = body === null && !isTrimmed;
  if (body) {
    queue.restart();
    [after, prediction.revision] = [0, 0];
  }

  /** Applies an entry of any writer; returns false if entries before it are missing. */
  const take = (entry) => {
    if (entry.type === 'tracks') {
      prediction.confirmLogged(entry);
      return true;
    }
    if (entry.sequence <= queue.sequence) return true;
    const isNext = entry.sequence === queue.sequence + 1;
    hasGap ||= !isNext;
    const own = queue.claim(entry);
    for (const { event } of own?.slice(0, -1) ?? []) prediction.confirm(event);
    const outcome = prediction.confirm(entry);
    if (own) found.push({ first: entry.sequence - own.length + 1, last: entry.sequence });
    else others.push(...(outcome?.commands ?? []));
    queue.keep(entry);
    prediction.revision += 1;
    return isNext && outcome !== null;
  };

  /** Returns the bar after the last event, or the current bar if that state is no longer kept. */
  const state = async () => {
    try {
      return await request('GET', '/states', { query: { at: after }, signal });
    } catch (problem) {
      if (problem.code !== 'sequence-trimmed') throw problem;
      const bar = await request('GET', '', { signal });
      queue.restart(bar.lastSequence);
      hasGap = true;
      return bar;
    }
  };

  return async () => {
    for (let hasMore = true; hasMore; after = queue.sequence) {
      const page = await request('GET', '/events', { query: { after, limit: 512 }, signal });
      const first = page.events.find(({ sequence }) => sequence)?.sequence ?? 1;
      if (body && after === 0 && first === 1) prediction.begin(body);
      for (const entry of page.events) isComplete = take(entry) && isComplete;
      // After a page without a new number, the next one would be the same.
      hasMore = page.hasMore && queue.sequence > after;
    }
    const bar = isComplete ? null : await state();
    if (bar) {
      prediction.confirmed.adopt(bar);
      prediction.revision = Math.max(prediction.revision, bar.revision);
    }
    return { others: body ? [] : others, found, bar, hasGap };
  };
}
