/** The timing of the page and its workers; messages.ts defines their messages. */

/** How long a worker simulates before it receives messages again, in milliseconds. */
export const SLICE = 20;

/** A simulating worker tells its progress this often, in milliseconds: each time takes some from the page. */
export const TELLING = 100;

/**
 * How long a worker tries a run to estimate its total time: at least this many milliseconds and,
 * until this share of it is done, at most that many.
 */
export const PILOT = 40;
export const PILOT_SHARE = 0.05;
export const PILOT_MOST = 240;

/**
 * How long a simulating worker may be silent before it is considered dead, in milliseconds. It
 * sends progress every TELLING, except during a single event that takes long.
 */
export const SILENCE = 60_000;

/** How long the page waits for `idle` before it ends a worker, in milliseconds. */
export const PATIENCE = 250;

/** Lets messages and clicks be handled, and the page drawn, first. */
export function breath() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(null);
  });
}
