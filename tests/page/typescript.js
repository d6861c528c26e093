// Has Node read the page's TypeScript, as `module.register` asks for.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

/** The text of a module without its types. */
export async function load(url, context, next) {
  if (!/\.tsx?$/.test(url)) return next(url, context);
  const text = await readFile(fileURLToPath(url), 'utf8');
  const { code } = await transform(text, { loader: url.endsWith('x') ? 'tsx' : 'ts' });
  return { format: 'module', source: code, shortCircuit: true };
}
