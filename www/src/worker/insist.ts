import { Cancelled } from './worker-client.ts';

/**
 * Asks a worker, and asks again whenever something else has taken the place of that there; throws
 * Cancelled once it is not wanted any more.
 */
export async function insist<Told>(
  ask: () => Promise<Told>,
  isWanted: () => boolean,
): Promise<Told> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Cancelled) || !isWanted()) throw error;
    }
  }
}
