/** Calls `action` when `signal` is aborted. Returns a function that leaves no listener behind. */
export function onAbort(signal, action) {
  signal?.addEventListener('abort', action);
  return () => signal?.removeEventListener('abort', action);
}

/** An object with listeners. `on(name, listener)` returns a function that removes the listener. */
export class Emitter {
  #listeners = { __proto__: null };

  on(name, listener) {
    const listeners = (this.#listeners[name] ??= new Set()).add(listener);
    return () => listeners.delete(listener);
  }

  emit(name, detail) {
    for (const listener of this.#listeners[name] ?? []) {
      try {
        listener(detail);
      } catch (error) {
        // An exception of a listener is reported by the page and must not stop the emitter.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
