/**
 * A value that tells when it changes. State that views share is atoms (state.js): views read
 * them and write the document.
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
   * Takes a new value and tells the watchers, unless it is the very same.
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
   * Calls `watcher` no more.
   * @param {(value: T) => void} watcher
   */
  ignore(watcher) {
    this.watchers.delete(watcher);
  }
}
