/** Calls of which only the last one counts. */

/** Turns calls into a queue of one: while one is running only the last of the new ones counts. */
export function latest(act: () => Promise<void>) {
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
