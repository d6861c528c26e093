/** Fetches parts of the page when they are needed. */
import { texts } from './texts.js';
import { say, unsay } from './view/banners.js';

/**
 * A part of the page; null if it cannot be fetched, as without a network, which is reported.
 * @template T
 * @param {() => Promise<T>} load
 * @returns {Promise<T | null>}
 */
export async function part(load) {
  unsay('part');
  try {
    return await load();
  } catch (error) {
    say('part', {
      title: texts.core.noPart,
      details: texts.core.noPartDetails(error instanceof Error ? error.message : String(error)),
      loud: true,
    });
    return null;
  }
}
