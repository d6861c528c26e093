import type { ReadonlySignal } from '@preact/signals';

/** Does something as soon as a value is such, once. */
export function once<T>(of: ReadonlySignal<T>, isSo: (now: T) => boolean, act: () => void) {
  let isDone = false;
  const end = of.subscribe((now) => {
    if (isDone || !isSo(now)) return;
    isDone = true;
    queueMicrotask(() => end());
    act();
  });
}
