// Logs in the Standard Workload Format, made up for tests.

import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { draws } from './random.js';

/** Writes a file that a visitor may bring, and returns its path. */
export async function bring(name, content) {
  const folder = await mkdtemp(join(tmpdir(), 'backfill-'));
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/**
 * A log of `jobs` jobs on 128 processors, the same each time.
 *
 * @param {number} jobs
 * @param {string[]} [dirt] further lines, which stand before the last job
 */
export function log(jobs, dirt = []) {
  const draw = draws(12345);
  const lines = ['; Version: 2.2', '; MaxProcs: 128', `; MaxRecords: ${jobs}`];
  let submit = 0;
  for (let job = 1; job <= jobs; job += 1) {
    submit += draw(600);
    const size = 1 + draw(24);
    const run = 60 + draw(7200);
    if (job === jobs) lines.push(...dirt);
    lines.push(`${job} ${submit} -1 ${run} ${size} -1 -1 ${size} ${run * 2} -1 1 1 1 1 1 1 -1 -1`);
  }
  return `${lines.join('\n')}\n`;
}

/** The same bytes in two gzip members, as `cat a.gz b.gz` makes them. */
export function gzipTwice(text) {
  const middle = Math.floor(text.length / 2);
  return Buffer.concat([gzipSync(text.slice(0, middle)), gzipSync(text.slice(middle))]);
}
