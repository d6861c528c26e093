export const surfaceTexts = {
  name: 'Heatmaps',
  metric: 'Metric of the heatmaps',
  about: (x: string, y: string) =>
    `by ${x} and ${y}, one map for each policy and one scale for all. The framed row is what the charts show: a click shows another.`,
  cell: (policy: string, at: string[], value: string) => `${policy} at ${at.join(', ')}: ${value}`,
  numbers: 'The heatmaps as tables',
  region: 'Numbers of the heatmaps',
  corner: (x: string, y: string) => `${y}, by ${x}`,
};
