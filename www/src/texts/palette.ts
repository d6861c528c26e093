import { plural } from './words.ts';

export const paletteTexts = {
  title: 'Find on this page',
  label: 'What to do, or where to go',
  act: (name: string) => name,
  example: (name: string) => `Example: ${name}`,
  go: (name: string) => `Go to: ${name}`,
  set: (name: string) => `Set: ${name}`,
  term: (label: string) => `What is ${label}?`,
  /** Other words by which the parts of the page are found. */
  words: {
    '.as-text > summary': 'edit type toml key value file code',
    '#run': 'start simulate compute',
    '#cancel': 'stop abort',
    '#open': 'open load log trace file swf sacct slurm csv drop upload import result scenario',
    '#share': 'link url address copy lesson embed command line',
    '#export': 'save download figure picture svg png pdf latex csv json swf bibtex cite print',
    '#keys': 'keyboard shortcuts help',
    '#example': 'examples start question',
    '#example optgroup': 'tour lesson step class',
    '[href="./papers.html"]': 'papers figures claims reproduce',
    '[href="./changes.html"]': 'changelog version news',
    '[data-key="policy"]': 'add policy remove scheduler queue placement compare',
    '[data-key="k"], [data-key="nodes"], [data-key="machine_scale"]':
      'bigger larger smaller machine size',
    '[data-key="file"]': 'open log trace swf sacct slurm csv',
    '#numbers': 'table values csv',
    '#compare': 'ranking difference significant better best',
    '#fairness': 'distribution percentile spread gini',
    '#inside': 'gantt plan schedule explain why wait job network links heatmap tree replay',
    '.over-time': 'gantt plan schedule timeline play utilisation',
    '.one-job': 'explain why wait rejected placement',
    '.decision': 'explain why start pass',
    '.jobs': 'list table filter sort',
    '#when': 'forecast start wait queue squeue sbatch test-only',
    '#past > summary': 'history runs kept restore before',
  },
  ofTerm: 'glossary definition meaning term',
  ofTheme: 'theme colours appearance mode night day',
  found: (count: number) =>
    count === 0 ? 'Nothing of that name.' : plural(count, 'match', 'matches'),
};
