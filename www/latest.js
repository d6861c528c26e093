/** Calls of which only the last one counts. */

/**
 * Turns calls into a queue of one: while one is under way only the last of those that come counts.
 * @param {() => Promise<void>} act
 */
export function latest(act) {
  let open = false;
  let again = false;
  return async () => {
    again = true;
    if (open) return;
    open = true;
    try {
      while (again) {
        again = false;
        await act();
      }
    } finally {
      open = false;
    }
  };
}
