/** Simulates cells in slices, between which messages are received. */
import { CANCELLED, answer, core, wanted } from './context.ts';
import { PILOT, PILOT_MOST, PILOT_SHARE, TELLING, breath } from './protocol.ts';
import { simulateInSlices } from './slices.ts';
import { withTrace } from './trace-reader.ts';
import type { Keep, Run as CoreRun } from '../../pkg/backfill_web.js';
import type { Part } from '../forecast.ts';
import type { Run } from './messages.ts';

/**
 * How far a run of a cell comes here in a short while, with its trace already read; null if
 * unknown.
 */
export async function estimate({ scenario, trace, cell }: Run, id: number): Promise<Part | null> {
  let spent = 0;
  const run = await withTrace(trace, id, (mine) => {
    spent = -performance.now();
    return new (core().Run)(scenario, cell, mine, core().Keep.Metrics);
  });
  spent += performance.now();
  const most = spent + PILOT_MOST;
  const least = spent + PILOT;
  let part: Part | null = null;
  let heard = spent;
  while (spent < least || ((part?.share ?? 0) < PILOT_SHARE && spent < most)) {
    const before = performance.now();
    const ended = run.advance(64);
    spent += performance.now() - before;
    if (ended) {
      run.free();
      return { share: 1, spent, queued: 0 };
    }
    const { done, total, queued } = standing(run);
    if (done > 0) part = { share: done / total, spent, queued };
    if (spent - heard < PILOT / 8) continue;
    heard = spent;
    await breath();
    if (wanted.cancelled) {
      run.free();
      throw CANCELLED;
    }
  }
  run.free();
  return part;
}

/**
 * The numbers of finished jobs, all jobs and waiting jobs of a run, and the share of the latter
 * among those that have arrived.
 */
function standing(run: CoreRun) {
  const [done, total] = run.progress();
  const waiting = run.waiting();
  return { done, total, waiting, queued: waiting > 0 ? waiting / (done + waiting) : 0 };
}

/**
 * Runs one cell to its end, receiving messages between slices.
 * @param keep what to keep of the run
 */
export async function simulate({ scenario, trace, cell }: Run, keep: Keep, id: number) {
  let spent = 0;
  const run = await withTrace(trace, id, (mine) => {
    spent = -performance.now();
    return new (core().Run)(scenario, cell, mine, keep);
  });
  spent += performance.now();
  let told = 0;
  spent = await simulateInSlices(run, spent, async (spent) => {
    if (spent - told >= TELLING) {
      told = spent;
      const { done, total, queued, waiting } = standing(run);
      answer({ id, type: 'progress', done, total, effort: { spent, queued, waiting } });
    }
    await breath();
    await wanted.going;
    if (wanted.cancelled || wanted.stopped === id) throw CANCELLED;
  });
  answer({ id, type: 'progress', done: 1, total: 1, effort: { spent, queued: 0, waiting: 0 } });
  return run;
}
