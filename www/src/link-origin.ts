/** Where a link is from: another version of the core, or somebody who typed it. */
import { asked } from './state.ts';
import { linkOriginTexts } from './texts/link-origin.ts';
import { say } from './view/banners.tsx';
import type { OpenedLink } from '../pkg/backfill_web.js';

/**
 * Reports that the link that is open has no checksum, or that another version of the core made it, and
 * leads to the release with that core if the host has it.
 */
export async function tellOrigin(link: OpenedLink, mine: string, hash: string) {
  if (link.typed) {
    // Whoever embeds the page has typed its link.
    if (!('embed' in document.documentElement.dataset))
      say('link', { title: linkOriginTexts.typed, details: linkOriginTexts.typedDetails });
    return;
  }
  const theirs = link.core;
  const title = linkOriginTexts.made(theirs, mine);
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
        { words: linkOriginTexts.openRelease(theirs), act: () => location.assign(release + hash) },
      ],
    });
  else say('core-differs', { title, details: linkOriginTexts.noRelease(theirs) });
}
