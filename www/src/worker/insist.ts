import { Cancelled } from './worker-client.ts';

/**
 * Asks a worker, and asks again whenever something else has taken the place of that there; throws
 * Cancelled once it is not wanted any more.
 */
export function insist<Told>(ask: () => Promise<Told>, isWanted: () => boolean): Promise<Told> {
  return ask().catch((error) => {
    if (error instanceof Cancelled && isWanted()) return insist(ask, isWanted);
    throw error;
  });
}
