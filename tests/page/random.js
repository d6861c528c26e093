// Random numbers for tests, the same each time.

/**
 * Park and Miller's generator, whose products stay below 2^53 and so are exact.
 *
 * @param {number} seed from 1
 * @returns {(bound: number) => number} draws a whole number from 0 to below the bound
 */
export function draws(seed) {
  let state = seed;
  return (bound) => {
    state = (state * 48271) % 2147483647;
    return state % bound;
  };
}
