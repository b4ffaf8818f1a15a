/** Calls `action` when `signal` is aborted. Returns a function that leaves no listener behind. */
export function onAbort(signal, action) {
  signal?.addEventListener('abort', action);
  return () => signal?.removeEventListener('abort', action);
}

/** An object with listeners. `on(name, listener)` returns a function that removes the listener. */
export class Emitter {
  #listeners = new Map();

  on(name, listener) {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  emit(name, detail) {
    for (const listener of this.#listeners.get(name) ?? []) {
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
