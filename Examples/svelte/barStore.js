// A Svelte store of a bar. In a component: `$bar.state.height`, `$bar.values['title.alpha']`, `bar.send({ … })`.

export function barStore(springbar, body) {
  const session = springbar.bar(body);
  const value = () => ({ state: session.state, values: session.values, connection: session.connection });
  return {
    subscribe(run) {
      run(value());
      const leaves = ['change', 'connection'].map((name) => session.on(name, () => run(value())));
      return () => leaves.forEach((leave) => leave());
    },
    send: (event) => session.send(event),
    end: () => session.end(),
  };
}
