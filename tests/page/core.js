// The core as wasm in Node: the same module that the page's workers run.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nodeModule } from './built.js';

/** @typedef {[key: string, value: string][]} Pairs */

/** Events between two steps of a run: as many as the command line takes. */
const SLICE = 50_000;

/** What the module exports. */
export const core = await import(pathToFileURL(join(nodeModule, 'backfill_web.js')).href);

/** @type {{ memory: WebAssembly.Memory }} */
const { memory } = core.initSync({
  module: readFileSync(join(nodeModule, 'backfill_web_bg.wasm')),
});

/** How many bytes of memory the module has; it never gives any back. */
export function memoryBytes() {
  return memory.buffer.byteLength;
}

/** The canonical text of a scenario. */
export function scenario(/** @type {Pairs} */ pairs) {
  const { problems, text } = core.read_scenario(pairs);
  if (problems.length > 0)
    throw new Error(problems.map(({ key, message }) => `${key} = ${message}`).join('; '));
  return text;
}

/**
 * The trace in a file that comes in pieces; what is thrown as a string is the core's refusal of it.
 */
export function readTrace(/** @type {string} */ name, /** @type {Uint8Array[]} */ pieces) {
  const loader = new core.TraceLoader(name, core.trace_kind(name), 'alloc-then-req', 'drop', '');
  for (const piece of pieces) loader.push(piece);
  return loader.finish();
}

/**
 * Runs every cell of a scenario, by this core.
 *
 * @param {string} text
 * @param {object} [trace]
 * @param {typeof core} [by]
 * @returns {{ digest: string, seconds: number }} the digest, and the time that was spent simulating
 */
export function simulate(text, trace = core.Trace.none(), by = core) {
  const board = new by.Board(text);
  let milliseconds = 0;
  for (const cell of by.running_order(text)) {
    const run = new by.Run(text, cell, trace, by.Keep.Metrics);
    const begun = performance.now();
    while (!run.advance(SLICE));
    const outcome = run.outcome();
    milliseconds += performance.now() - begun;
    board.add(outcome);
  }
  const digest = board.digest();
  board.free();
  return { digest, seconds: milliseconds / 1000 };
}

/** A run of a scenario without a log, simulated to its end. */
export function runToEnd(
  /** @type {string} */ text,
  /** @type {number} */ cell,
  keep = core.Keep.Metrics,
) {
  const run = new core.Run(text, cell, core.Trace.none(), keep);
  while (!run.advance(SLICE));
  return run;
}

/**
 * A link to the scenario that the page opens with, of fewer and shorter runs: who comes by it sees no
 * cards of a first visit, and has the answer at once.
 */
export const SMALL = core.write_link(
  scenario([
    ['jobs', '40'],
    ['reps', '2'],
  ]),
  '',
);

/** The link of a scenario in which nothing is random, over a log on its own machine. */
export const linkOfLog = (policy = 'fcfs,easy,recorded', x = 'none') =>
  core.write_link(
    scenario([
      ['workload', 'swf'],
      ['system', 'nodes'],
      ['machine', 'log'],
      ['load', 'as-logged'],
      ['bandwidth', 'none'],
      ['estimate', 'extend'],
      ['policy', policy],
      ['x', x],
      ['reps', '1'],
    ]),
    '',
    '',
  );
