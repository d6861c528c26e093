/** What `node.ts` uses of Node, whose types are no package of this project. */
declare module 'node:fs/promises' {
  export function readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>;
}
