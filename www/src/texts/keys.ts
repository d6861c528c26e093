export const keysTexts = {
  title: 'Keys',
  list: [
    [['Ctrl', 'Enter'], 'Run the scenario'],
    [['Esc'], 'Cancel the run, or close what is open'],
    [['?'], 'Show these keys'],
    [['Ctrl', 'K'], 'Find anything on the page by its name, and do it or go there'],
    [['Ctrl', 'V'], 'Open what was copied: a log, a job list, a scenario, a result or a link'],
    [['Tab'], 'Go to the next control; with Shift, to the one before'],
    [['←', '→'], 'On a chart: the value before, the next one'],
    [['Home', 'End'], 'On a chart: the first value, the last one'],
    [
      ['+', '−', '0'],
      'On a chart: zoom in, out, show the whole; Shift and an arrow move what is seen',
    ],
    [['←', '→', '↑', '↓'], 'On the picture of a run: the neighbouring link or server'],
    [['←', '→'], 'Over time: the event before, the next one; with Shift, ten at once'],
    [['Space'], 'Over time: play or pause'],
    [['+', '−', '0'], 'Over time: zoom in, out, show the whole run'],
    [['↑', '↓', 'Enter'], 'In the jobs: the row above, below; look into it'],
  ] satisfies [keys: string[], words: string][],
};
