// What others have done to a bar, by the service's log: `GET /v1/bars/{id}/events`.

/**
 * Brings the confirmed bar to the end of the log; answers the commands of other writers.
 *
 * `request(method, part, options)` asks about the bar. `after` is the number to read on from. A `body`, the one that the
 * bar was created with, has the whole log read. `isGone` says that the log does not reach back to the confirmed bar.
 */
export async function readLog({ request, prediction, after, body = null, isGone, signal }) {
  const { queue } = prediction;
  const others = [];
  let isComplete = body === null && !isGone;
  if (body) {
    queue.restart();
    [after, prediction.revision] = [0, 0];
  }

  /** Applies an entry, ours or another writer's; false when entries before it are missing. */
  const take = (entry) => {
    if (entry.type === 'tracks') {
      prediction.confirmed.setTracks(entry.tracks);
      prediction.revision = Math.max(prediction.revision, entry.revision);
      return true;
    }
    if (entry.sequence <= queue.sequence) return true;
    const isNext = entry.sequence === queue.sequence + 1;
    const own = queue.claim(entry);
    for (const { event } of own?.slice(0, -1) ?? []) prediction.confirm(event);
    const outcome = prediction.confirm(entry);
    if (!own && outcome) others.push(...outcome.commands);
    queue.keep(entry);
    prediction.revision += 1;
    return isNext && outcome !== null;
  };

  for (let page = { hasMore: true }; page.hasMore; after = queue.sequence) {
    page = await request('GET', '/events', { query: { after, limit: 512 }, signal });
    const first = page.events.find(({ sequence }) => sequence)?.sequence ?? 1;
    if (body && after === 0 && first === 1) prediction.begin(body);
    for (const entry of page.events) isComplete = take(entry) && isComplete;
  }
  if (!isComplete) {
    const bar = await stateAt(queue.sequence);
    prediction.confirmed.adopt(bar);
    prediction.revision = Math.max(prediction.revision, bar.revision);
  }
  return body ? [] : others;

  /** The bar as it was after an event, or as it is where that is not kept any more. */
  async function stateAt(at) {
    try {
      return await request('GET', '/states', { query: { at }, signal });
    } catch (problem) {
      if (problem.code !== 'sequence-trimmed') throw problem;
      const bar = await request('GET', '', { signal });
      queue.restart(bar.lastSequence);
      return bar;
    }
  }
}
