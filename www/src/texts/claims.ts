/** How the claims of a published figure are told. */
export const claimsTexts = {
  title: 'What these runs say of published claims',
  under: (interpretation: string) => ` (${interpretation})`,
  takesMore: (figures: string) => `also takes the runs of ${figures}`,
  notFetched:
    'This scenario is a published figure, but what judges its claims could not be fetched: connect and run it again.',
  onFile: 'The rule, and the verdict on file',
  /** The tones of judgements, by their words. */
  tones: { holds: 'good', 'does not hold': 'bad' } as { [outcome: string]: string | undefined },
};
