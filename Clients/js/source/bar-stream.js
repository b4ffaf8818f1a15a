/** Watches a bar's stream. Calls `hear` with each new revision, and with Infinity when the session has ended. */
export function listen(address, hear) {
  const source = new EventSource(address);
  source.addEventListener('state', ({ data }) => hear(JSON.parse(data).revision));
  source.addEventListener('end', () => {
    source.close();
    hear(Infinity);
  });
  return () => source.close();
}
