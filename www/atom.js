/**
 * An observable value. State that views share is atoms (state.js): views read them and write the
 * document.
 * @template T
 */
export class Atom {
  /** @param {T} value */
  constructor(value) {
    this.value = value;
    /** @type {Set<(value: T) => void>} */
    this.watchers = new Set();
  }

  /** @returns {T} */
  get() {
    return this.value;
  }

  /**
   * Sets a new value and notifies the watchers, unless it is the very same.
   * @param {T} value
   */
  set(value) {
    if (Object.is(this.value, value)) return;
    this.value = value;
    for (const watcher of [...this.watchers]) watcher(value);
  }

  /**
   * Calls `watcher` now and after each change.
   * @param {(value: T) => void} watcher
   */
  watch(watcher) {
    this.watchers.add(watcher);
    watcher(this.value);
  }

  /**
   * Stops calling `watcher`.
   * @param {(value: T) => void} watcher
   */
  ignore(watcher) {
    this.watchers.delete(watcher);
  }
}
