/** Fetches parts of the page when they are needed. */
import { messageOf } from './message.ts';
import { coreTexts } from './texts/core.ts';
import { say, unsay } from './view/banners.tsx';

/** A part of the page; null if it cannot be fetched, as without a network, which is reported. */
export async function part<T>(load: () => Promise<T>): Promise<T | null> {
  unsay('part');
  try {
    return await load();
  } catch (error) {
    say('part', {
      title: coreTexts.noPart,
      details: coreTexts.noPartDetails(messageOf(error)),
      loud: true,
    });
    return null;
  }
}

export type OnDemand = typeof import('./view/on-demand.ts');

/** The views that only some visits need; null if they cannot be fetched. */
export function onDemand(): Promise<OnDemand | null> {
  return part(() => import('./view/on-demand.ts'));
}
