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

  /**
   * Resolves when `isReached()` is true, which is called now and at each event of a name. Rejects with what it throws, or
   * when `signal` is aborted.
   */
  until(name, isReached, signal) {
    return new Promise((resolve, reject) => {
      const check = () => {
        try {
          signal?.throwIfAborted();
          if (!isReached()) return;
          resolve();
        } catch (reason) {
          reject(reason);
        }
        leave();
        signal?.removeEventListener('abort', check);
      };
      const leave = this.on(name, check);
      signal?.addEventListener('abort', check);
      check();
    });
  }
}
