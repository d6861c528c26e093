export const linkOriginTexts = {
  typed: 'This link has no checksum',
  typedDetails:
    'It is read as somebody typed it. If it was sent to you, its end may be missing: compare the scenario, or copy the whole address again.',
  made: (theirs: string, mine: string) =>
    `The link was made with Backfill ${theirs}; this is ${mine}. Its digest is compared all the same.`,
  openRelease: (theirs: string) => `Open it with Backfill ${theirs}`,
  noRelease: (theirs: string) => `There is no page of Backfill ${theirs} here to open it with.`,
};
