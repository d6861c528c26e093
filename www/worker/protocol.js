/** The times that the page and its workers keep to; messages.d.ts says what they say. */

/** How long a worker simulates before it listens again, in milliseconds. */
export const SLICE = 20;

/**
 * How long a worker tries a run to tell how long all of it takes: so many milliseconds at least
 * and, until it has done so much of it, so many at most.
 */
export const PILOT = 40;
export const PILOT_SHARE = 0.05;
export const PILOT_MOST = 240;

/**
 * How long a worker that simulates may say nothing before it is taken to be dead, in milliseconds.
 * It speaks every SLICE, but for a single event that takes long.
 */
export const SILENCE = 60_000;

/** How long the page waits for `idle` before it ends a worker, in milliseconds. */
export const PATIENCE = 250;

/** Lets messages and clicks in, and the page draw, before what follows. */
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
