import { plural } from './words.ts';

export const topologyTexts = {
  failed: (name: string) => `${name} could not be used`,
  read: (name: string, nodes: number, leaves: number, areBlocks: boolean) =>
    `${name}: ${plural(nodes, 'node', 'nodes')} in ${areBlocks ? plural(leaves, 'block', 'blocks') : plural(leaves, 'leaf', 'leaves')}.`,
};
