// A Svelte store of a bar. In a component: `$bar.state.height`, `$bar.values['title.alpha']`, `bar.send({ … })`.
//
// The session begins with the first subscriber and ends with the last one. Without one, and on a server that renders a
// page, events are only applied.

export function barStore(springbar, body) {
  const unsent = () => springbar.bar(body, { signal: AbortSignal.abort() });
  let [session, subscribers] = [unsent(), 0];
  const value = () => ({ state: session.state, values: session.values, connection: session.connection });
  return {
    subscribe(run) {
      if (typeof document === 'undefined') {
        run(value());
        return () => {};
      }
      if (subscribers === 0) session = springbar.bar(body);
      subscribers += 1;
      run(value());
      const leaves = ['change', 'connection'].map((name) => session.on(name, () => run(value())));
      return () => {
        for (const leave of leaves) leave();
        subscribers -= 1;
        if (subscribers > 0) return;
        // A deletion may fail: the service ends a session that is not used.
        session.end().catch(() => {});
        session = unsent();
      };
    },
    send: (event) => session.send(event),
  };
}
