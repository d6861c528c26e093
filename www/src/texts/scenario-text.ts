export const scenarioTextTexts = {
  label: 'Scenario as text',
  offers: 'Names that may come next',
  help: 'One key = value in each line; what is not written has its default. Form and text follow each other.',
  line: (line: number, words: string) => `Line ${line + 1}: ${words}`,
  fault: 'write key = value, or begin a remark with #.',
  twice: (key: string) => `${key} stands in a line above, too: leave one of them.`,
  problem: (key: string, words: string) => `${key} = ${words}`,
};
