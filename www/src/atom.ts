/**
 * An observable value. State that views share is atoms (state.ts): views read them and write the
 * document.
 */
export class Atom<T> {
  value: T;
  watchers: Set<(value: T) => void>;

  constructor(value: T) {
    this.value = value;
    this.watchers = new Set();
  }

  get(): T {
    return this.value;
  }

  /** Sets a new value and notifies the watchers, unless it is the very same. */
  set(value: T) {
    if (Object.is(this.value, value)) return;
    this.value = value;
    for (const watcher of [...this.watchers]) watcher(value);
  }

  /** Calls `watcher` now and after each change. */
  watch(watcher: (value: T) => void) {
    this.watchers.add(watcher);
    watcher(this.value);
  }

  /** Stops calling `watcher`. */
  ignore(watcher: (value: T) => void) {
    this.watchers.delete(watcher);
  }
}
