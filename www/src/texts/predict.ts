export const predictTexts = {
  title: 'Before the answer',
  question: (metric: string, better: string, where: string) =>
    `Which policy do you expect to be best by ${metric.toLowerCase()}${where ? ` at ${where}` : ''}? ${better ? `There, ${better}.` : ''}`,
  show: 'Show the answer',
  computing: 'The answer is being computed.',
  choose: 'Choose one, and the answer is shown.',
  right: (policy: string, value: string, level: string[]) =>
    `As you expected: ${policy} comes first with ${value}${level.length === 0 ? '' : `, level with ${level.join(', ')}`}.`,
  wrong: (mine: string, place: string, first: string, value: string) =>
    `You expected ${mine}, which ${place}. First is ${first} with ${value}.`,
  place: (rank: number | null, value: string) =>
    rank === null
      ? `has ${value} but is not ranked, because its accept rate differs`
      : `is number ${rank} with ${value}`,
  value: (mean: string, half: string | null, unit: string) =>
    [mean, half === null ? '' : `± ${half}`, unit].filter(Boolean).join(' '),
  none: (mine: string) =>
    `You expected ${mine}. There is no ranking of these policies here: see the charts.`,
};
