/**
 * An observable value. State that views share is atoms (state.ts): components read their `value` and
 * are drawn again when it changes; other code watches them.
 */
import { Signal } from '@preact/signals';

export class Atom<T> extends Signal<T> {
  readonly #watchers = new Set<(value: T) => void>();

  /** The value, without following it. */
  get(): T {
    return this.peek();
  }

  /** Sets a new value and notifies the watchers, unless it is the very same. */
  set(value: T) {
    if (Object.is(this.peek(), value)) return;
    this.value = value;
    for (const watcher of [...this.#watchers]) watcher(value);
  }

  /** Calls `watcher` now and after each change. */
  watch(watcher: (value: T) => void) {
    this.#watchers.add(watcher);
    watcher(this.peek());
  }

  /** Stops calling `watcher`. */
  ignore(watcher: (value: T) => void) {
    this.#watchers.delete(watcher);
  }
}
