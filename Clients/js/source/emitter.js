/** Something that tells: `on(name, listener)` returns a function that ends it. */
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
        // A fault of a listener is the page's, and must not stop what tells it.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
