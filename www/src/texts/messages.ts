export const messagesTexts = {
  type: (types: string[]) => `The type of a message is one of ${types.join(', ')}.`,
  tooMany: (most: number) =>
    `${most} messages wait already: send the next one when one of them is answered.`,
  scenario: (most: number) =>
    `A scenario is a text of key = value lines, or an object with a text for each key, of at most ${most} characters.`,
  log: 'A log has a name, which is a text, and its bytes as ArrayBuffer or Uint8Array.',
  noTrace: 'The scenario runs over a log that is not here: send it first.',
  notTaken:
    'The log was not opened: the page asks its visitor about it, or another file came since.',
  notRun: 'The run was cancelled, or is too large for a tab.',
  notYours:
    'The log of this answer was opened by a visitor: what is known of it stays in the page.',
  noResult: 'No run is complete: send run first.',
};
