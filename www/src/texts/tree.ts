export const treeTexts = {
  drawnAs: 'Drawn as',
  tree: 'tree',
  matrix: 'matrix',
  shows: 'Share of each link',
  reserved: 'reserved',
  used: 'in use',
  label: (what: string) =>
    `${what}, drawn as a tree. Left and right go from link to link, up and down from level to level.`,
  levels: (names: string[]) => `From the top: ${names.join(', ')}.`,
};
