/** Calls `action` when `signal` is aborted. Returns a function that leaves no listener behind. */
export function onAbort(signal, action) {
  signal?.addEventListener('abort', action);
  return () => signal?.removeEventListener('abort', action);
}

/**
 * An object with listeners. `on(name, listener)` returns a function that ends this subscription. What a listener
 * subscribes begins with the next event, and what it ends is not called any more.
 */
export class Emitter {
  #listeners = { __proto__: null };

  on(name, listener) {
    const subscription = { listener };
    const subscriptions = (this.#listeners[name] ??= new Set()).add(subscription);
    return () => subscriptions.delete(subscription);
  }

  emit(name, detail) {
    const subscriptions = this.#listeners[name] ?? new Set();
    for (const subscription of [...subscriptions]) {
      if (!subscriptions.has(subscription)) continue;
      try {
        subscription.listener(detail);
      } catch (error) {
        // An exception of a listener is reported by the page and must not stop the emitter.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
