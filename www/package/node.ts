/** The same for Node, which reads the module from beside this script. */
import { readFile } from 'node:fs/promises';
import { load as loadFrom } from './index.ts';
import type { Source } from './types.ts';

export * from './index.ts';

export async function load(source?: Source): Promise<void> {
  await loadFrom(source ?? (await readFile(new URL(BUILT.module, import.meta.url))));
}
