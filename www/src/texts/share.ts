import { whole } from '../format.ts';

export const shareTexts = {
  title: 'Share this scenario',
  about: (length: number) =>
    `${whole(length)} characters. The link holds the whole scenario and the digest of its result; whoever opens it sees whether theirs is identical.`,
  withoutDigest: (length: number) =>
    `${whole(length)} characters. The link holds the whole scenario. Run it to the end first to add the digest of the result.`,
  short: (plain: number) =>
    `This is its short form: the plain one would have ${whole(plain)}, which mail and chat programs cut.`,
  tooLong: (short: number, most: number) =>
    `Even the short form of the link would have ${whole(short)} characters, and mail and chat programs cut those of more than ${whole(most)}: save the scenario as a file instead.`,
  traceStays: (name: string) =>
    `${name} itself stays with you: whoever opens the link is asked for that file.`,
  label: 'Link',
  called: 'A scenario in Backfill',
  form: 'As',
  forms: { link: 'Link', markdown: 'Markdown', embed: 'HTML to embed', command: 'Command line' },
  commandAbout:
    'The command line runs the same simulator without a tab’s limits; with --json FILE it writes a result that this page opens.',
  lesson: 'For a lesson: hide parts of the page',
  lessonHelp:
    'Whoever opens the link sees the page without these parts, and a button that shows them all.',
  parts: {
    scenario: 'The scenario',
    tools: 'Examples, files and theme',
    compare: 'The comparison',
    fairness: 'How waits are spread',
    inside: 'Inside a run',
    when: 'When a job would start',
    numbers: 'The numbers as a table',
    prediction: 'The answer, until a prediction is made',
    compact: 'All around the answer, for a slide or an iframe',
  },
  noteLabel: 'A note above the page',
};
