/** The verdict on a complete answer: compared with the one built in, or with the one in the link. */
import { badgeTexts } from './texts/badge.ts';
import type { Asked, Badge } from './state.ts';

/** What an answer is compared with. */
interface Expected {
  /** The digest that a link promises, if one was opened. */
  promise: Asked['promised'];
  /** The digest of the answer that the page was built with, if that is checked; else null. */
  built: string | null;
}

/** The badge of an answer, and the message where it is another than expected. */
export interface Verdict {
  badge: Badge;
  differs: { title: string; details: string } | null;
}

/**
 * @param found the digest of the answer
 * @param spent how long it took, in milliseconds
 */
export function judge({ promise, built }: Expected, found: string, spent: number): Verdict {
  if (promise !== null && promise.digest !== '') {
    const { digest } = promise;
    if (digest === found) return identical(badgeTexts.linkIdentical(spent));
    return different(badgeTexts.linkDiffers, badgeTexts.linkDiffersDetails(digest, found));
  }
  if (built !== null) {
    if (built === found) return identical(badgeTexts.identical(spent));
    return different(badgeTexts.differs, badgeTexts.differsDetails(built, found));
  }
  return { badge: { tone: '', words: badgeTexts.complete(spent) }, differs: null };
}

function identical(words: string): Verdict {
  return { badge: { tone: 'good', words }, differs: null };
}

function different(title: string, details: string): Verdict {
  return { badge: { tone: 'bad', words: title }, differs: { title, details } };
}
