/** What a browser keeps for the next visit. Storage may be denied: then nothing is kept. */

/** Uses storage; undefined where it is denied. */
export function keep<T>(act: () => T) {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** What was remembered under this name; null if nothing was. */
export function remembered(name: string) {
  return keep(() => localStorage.getItem(name)) ?? null;
}

/** Remembers a value under this name. */
export function remember(name: string, value: string) {
  keep(() => localStorage.setItem(name, value));
}
