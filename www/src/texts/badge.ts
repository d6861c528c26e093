import { duration, whole } from '../format.ts';

export const badgeTexts = {
  checking: 'verifying in your browser…',
  identical: (took: number) => `verified in your browser (${duration(took)})`,
  differs: 'DIFFERENT from the answer that this page was built with',
  differsDetails: (built: string, found: string) =>
    `Built in: digest ${built}. Here: ${found}. The numbers shown are those computed here. Please report this with your browser's name and version.`,
  linkIdentical: (took: number) => `identical to the link's result (${duration(took)})`,
  linkDiffers: 'This is not the result that the link was made with',
  linkDiffersDetails: (claimed: string, found: string) =>
    `The link names digest ${claimed}; computed here: ${found}. Its version of Backfill or its trace may be another one; if both are yours, please report it.`,
  running: 'running…',
  paused: 'paused',
  cancelling: 'cancelling…',
  partial: (done: number, all: number) => `partial: ${whole(done)} of ${whole(all)} runs`,
  complete: (took: number) => `computed here (${duration(took)})`,
  stale: 'Settings changed. Run to update.',
};
