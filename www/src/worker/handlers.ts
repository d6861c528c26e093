/** What a worker does for each request. It keeps one run for inspection. */
import { core, memoryUsed } from './context.ts';
import { estimate, simulate } from './simulation.ts';
import { callAll, open, used, withTrace } from './trace-reader.ts';
import type { Board, Inspector, Replay } from '../../pkg/backfill_web.js';
import type { Answered, Handlers, Run } from './messages.ts';

let replay: Replay | null = null;
/** The scenario, cell, topology and log of the kept run. */
let keptRun = '';
/** Its number among the runs that the page opened; 0 until it is opened. */
let number = 0;
/** The details of it. */
let inspector: Inspector | null = null;

/** The handler of each request. */
export const handlers: Handlers = {
  async read({ trace }, id) {
    return { ...(await open(trace, id)).report(), memory: memoryUsed() };
  },
  async hold({ trace }, id) {
    await open(trace, id);
  },
  async diagnose({ trace }, id) {
    return (await open(trace, id)).diagnosis();
  },
  async about({ scenario, trace }, id) {
    return (await open(trace, id)).about(scenario);
  },
  warning({ scenario, trace }, id) {
    return withTrace(trace, id, (mine) => mine.warning(scenario) ?? null);
  },
  async submitted({ scenario, trace, from, until }, id) {
    return (await open(trace, id)).submitted(scenario, from, until) ?? null;
  },
  async cell({ isKept, ...run }, id) {
    // A run kept here is not shown any more, and the next one needs its memory.
    forget();
    const made = isKept ? await keep(run, 0, id) : await simulate(run, core().Keep.Metrics, id);
    return made.outcome();
  },
  estimate,
  async spread(run, id) {
    return (await simulate(run, core().Keep.Histories, id)).spread();
  },
  async log(run, id) {
    return (await simulate(run, core().Keep.Histories, id)).swf();
  },
  async replay({ number: mine, ...run }, id) {
    return (await keep(run, mine, id)).info();
  },
  async beside(run, id) {
    return used(await record(run, id), (other) => {
      if (replay === null) throw 'no run is kept';
      inspector?.free();
      inspector = replay.inspector();
      inspector.put_beside(other);
      return other.info();
    });
  },
  frame({ at, used, number: asked }) {
    if (replay === null || asked !== number) return null;
    if (used) inspector ??= replay.inspector();
    const shares =
      (used ? inspector?.shares_at(at ?? undefined, true) : null) ??
      (at === null ? replay.mean_shares() : replay.shares_at(at));
    if (at === null) return { shares, paused: new Uint32Array(), jobs: null };
    const [running, waiting, paused, migrations] = replay.jobs_at(at);
    return {
      shares,
      paused: replay.paused_at(at),
      jobs: [running, waiting, paused, migrations],
    };
  },
  look({ calls, number: asked }) {
    if (replay === null || asked !== number) return null;
    inspector ??= replay.inspector();
    return callAll(inspector, calls);
  },
  pass_of({ scenario, trace, cell, at, number: asked }, id) {
    return withTrace(trace, id, (mine) => {
      if (replay === null || asked !== number) return null;
      inspector ??= replay.inspector();
      return inspector.pass_of(scenario, cell, mine, at);
    });
  },
  explain({ scenario, trace, cell, job, at, machine }, id) {
    return withTrace(trace, id, (mine) => core().explain(scenario, cell, mine, job, at, machine));
  },
  composer({ scenario, policy }) {
    return core().composer(scenario, policy);
  },
  judge({ scenario, from, own }) {
    return core().judge(scenario, from, own);
  },
  write({ calls, ...answer }) {
    return withBoard(answer, (board) => callAll(board, calls));
  },
  async claims(answer) {
    const { judged } = await fetched(import('./claims.ts'));
    return withBoard(answer, (board) => judged(board.json(undefined, '', 0)));
  },
  study({ scenario, engine, jobs }) {
    return core().study_archive(scenario, engine, jobs).slice();
  },
  open({ contents }) {
    return core().open_file(contents);
  },
  restore({ kept }) {
    return core().open_kept(kept);
  },
  topology({ text, trace }, id) {
    return withTrace(trace, id, (mine) => core().open_topology(text, mine));
  },
  instants({ scenario, trace }, id) {
    return withTrace(trace, id, (mine) => core().instants(scenario, mine));
  },
  async forecast(given, id) {
    return (await fetched(import('./forecaster.ts'))).forecast(given, id);
  },
  panic() {
    core().panic_on_purpose();
    throw new Error('the core did not panic');
  },
};

/** Simulates a run and keeps all of it. */
async function record(run: Run, id: number) {
  return (await simulate(run, core().Keep.Allocations, id)).replay(run.topology);
}

function forget() {
  inspector?.free();
  replay?.free();
  inspector = null;
  replay = null;
}

/** Keeps a run under a number; it is simulated unless it is kept. */
async function keep(run: Run, mine: number, id: number) {
  const { name, size, lastModified } = run.trace?.file ?? {};
  const of = [run.scenario, run.cell, run.topology, name, size, lastModified].join();
  const made = replay !== null && keptRun === of ? replay : await record(run, id);
  inspector?.free();
  inspector = null;
  if (made !== replay) replay?.free();
  [replay, keptRun, number] = [made, of, mine];
  return made;
}

/** Does something with a board that holds an answer. */
function withBoard<T>({ scenario, maker, outcomes }: Answered, act: (board: Board) => T) {
  return used(new (core().Board)(scenario), (board) => {
    board.made_by(maker);
    for (const outcome of outcomes) board.add(outcome);
    return act(board);
  });
}

/** A part of the worker, which cannot be fetched without a network: that is no fault of the core. */
function fetched<T>(part: Promise<T>): Promise<T> {
  return part.catch((error: unknown) => {
    throw String(error);
  });
}
