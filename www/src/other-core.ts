/** Links that another version of the core made. */
import { asked } from './state.ts';
import { otherCoreTexts } from './texts/other-core.ts';
import { say } from './view/banners.tsx';

/**
 * Reports that another version of the core made the link that is open, and leads to the release with
 * that core if the host has it.
 */
export async function tellOtherCore(theirs: string, mine: string, hash: string) {
  const title = otherCoreTexts.made(theirs, mine);
  say('core-differs', { title });
  const release = /^\d+(\.\d+)*$/.test(theirs) ? `./v${theirs}.html` : null;
  const kept =
    release !== null &&
    (await fetch(release, { method: 'HEAD' }).then(
      ({ ok }) => ok,
      () => false,
    ));
  if (asked.promised?.core !== theirs) return;
  if (kept)
    say('core-differs', {
      title,
      actions: [
        { words: otherCoreTexts.openRelease(theirs), act: () => location.assign(release + hash) },
      ],
    });
  else say('core-differs', { title, details: otherCoreTexts.noRelease(theirs) });
}
