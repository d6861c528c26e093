export const leavesTexts = {
  open: 'Change the leaves…',
  title: 'Leaves of the machine',
  about:
    'How many nodes each leaf has. A smaller number takes out its last nodes; with 0 they are all gone, and the switch stays.',
  leaf: 'Leaf',
  above: 'Below',
  column: 'Nodes',
  nodes: (leaf: string) => `Nodes of ${leaf}`,
  empty: 'Empty',
  emptyOne: (leaf: string) => `Empty ${leaf}`,
  total: (nodes: number) => `${nodes.toLocaleString('en')} nodes in all`,
  run: 'Run on these',
};
