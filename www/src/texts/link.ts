import { whole } from '../format.ts';

export const linkTexts = {
  bad: 'This link cannot be opened',
  none: 'This scenario has no link',
  badZoom: 'An axis is shown whole',
  badZoomDetails: (said: string) =>
    `${said} in the link is no part of an axis: write two numbers, the smaller one first, with + between them.`,
  openDefault: 'Open the opening scenario instead',
  title: 'Share this scenario',
  about: (length: number) =>
    `${whole(length)} characters. The link holds the whole scenario and the digest of its result; whoever opens it sees whether theirs is identical.`,
  withoutDigest: (length: number) =>
    `${whole(length)} characters. The link holds the whole scenario. Run it to the end first to add the digest of the result.`,
  traceStays: (name: string) =>
    `${name} itself stays with you: whoever opens the link is asked for that file.`,
  copied: 'Copied to the clipboard.',
  copyByHand: 'The browser did not allow copying: press Ctrl+C.',
  copy: 'Copy',
  close: 'Close',
  label: 'Link',
  called: 'A scenario in Backfill',
  form: 'As',
  forms: { link: 'Link', markdown: 'Markdown', embed: 'HTML to embed', command: 'Command line' },
  commandAbout:
    'The command line runs the same simulator without a tab’s limits; with --json FILE it writes a result that this page opens.',
  file: 'Save as a file',
  lesson: 'For a lesson: hide parts of the page',
  lessonHelp:
    'Whoever opens the link sees the page without these parts, and a button that shows them all.',
  parts: {
    scenario: 'The scenario',
    tools: 'Examples, files and theme',
    compare: 'The comparison',
    fairness: 'How waits are spread',
    inside: 'Inside a run',
    numbers: 'The numbers as a table',
    prediction: 'The answer, until a prediction is made',
    compact: 'All around the answer, for a slide or an iframe',
  },
  note: 'A note with this link',
  noteLabel: 'A note above the page',
  hides: 'This link hides parts of the page.',
  showAll: 'Show everything',
  otherCore: (theirs: string, mine: string) =>
    `The link was made with Backfill ${theirs}; this is ${mine}. Its digest is compared all the same.`,
  openRelease: (theirs: string) => `Open it with Backfill ${theirs}`,
  noRelease: (theirs: string) => `There is no page of Backfill ${theirs} here to open it with.`,
};
