export const linkTexts = {
  bad: 'This link cannot be opened',
  none: 'This scenario has no link',
  badZoom: 'An axis is shown whole',
  badZoomDetails: (said: string) =>
    `${said} in the link is no part of an axis: write two numbers, the smaller one first, with + between them.`,
  openDefault: 'Open the opening scenario instead',
  file: 'Save as a file',
  note: 'A note with this link',
  hides: 'This link hides parts of the page.',
  showAll: 'Show everything',
};
