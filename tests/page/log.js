// Logs in the Standard Workload Format, made up for tests.

import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { draws } from './random.js';
import { answer } from './visitor.js';

/** Writes a file that a visitor may bring, and returns its path. */
export async function bring(name, content) {
  const folder = await mkdtemp(join(tmpdir(), 'backfill-'));
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** What the answer over a log is about, once it matches. */
export const subject = (tab, pattern) =>
  tab.waitFor((source) => {
    const words = document.querySelector('.log .subject')?.textContent ?? '';
    return new RegExp(source).test(words) && words;
  }, pattern.source);

/** The questions about a log, and which one is answered. */
export const asked = (tab) =>
  tab.evaluate(() =>
    [...document.querySelectorAll('.log .card')].map((card) => [
      card.querySelector('strong').textContent,
      card.getAttribute('aria-pressed'),
    ]),
  );

/** Asks a question about a log, and waits for the answer. */
export async function ask(tab, title) {
  await tab.evaluate((title) => {
    const cards = [...document.querySelectorAll('.log .card')];
    cards.find((card) => card.querySelector('strong').textContent === title).click();
  }, title);
  return answer(tab);
}

/**
 * A log of `jobs` jobs on 128 processors, the same each time.
 *
 * @param {number} jobs
 * @param {string[]} [dirt] further lines, before the last job
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

/** The nodes of the machine of `nodeLog`, and the processors of each. */
export const NODES = 9472;
const CORES = 112;

/** How many lines are made at a time. */
const BLOCK = 10_000;

/**
 * A log of `jobs` jobs in pieces, the same each time, on a machine of `NODES` nodes. Its lines have
 * 21 fields, the last of which names the nodes of a job, as those of Frontier. Half of the jobs take
 * one node, one in 200 up to all, and as logged they ask for 0.6 of the machine.
 *
 * @param {number} jobs
 */
export function* nodeLog(jobs) {
  const draw = draws(12345);
  const widest = [1, 1, 1, 1, 1, 8, 8, 8, 128, 1024];
  const lines = [`; MaxNodes: ${NODES}`, `; MaxProcs: ${NODES * CORES}`, `; MaxRecords: ${jobs}`];
  let submit = 0;
  for (let job = 1; job <= jobs; job += 1) {
    submit += draw(60);
    const size = 1 + draw(draw(200) === 0 ? NODES : widest[draw(widest.length)]);
    const run = 60 + draw(4000);
    const estimate = 60 * Math.ceil((run * (1 + draw(4))) / 60);
    const [processors, user] = [size * CORES, 1 + draw(900)];
    lines.push(
      `${job} ${submit} ${draw(9000)} ${run} ${processors} -1 -1 ${processors} ${estimate} -1 1 ${user} 1 -1 1 1 -1 -1 8 ${estimate} made:batch:${size}x${CORES}`,
    );
    if (lines.length < BLOCK && job < jobs) continue;
    yield `${lines.splice(0).join('\n')}\n`;
  }
}
