/**
 * A worker: it reads traces, simulates cells in slices, and keeps one run for inspection. It
 * receives messages from its first moment; requests before the core is ready wait in the queue.
 */
import { PILOT, PILOT_MOST, PILOT_SHARE, SLICE, breath } from './protocol.ts';
import type { Inspector, Keep, Replay, Run as CoreRun, Trace } from '../../pkg/backfill_web.js';
import type { Core } from '../core.ts';
import type { Part } from '../forecast.ts';
import type {
  Build,
  CallName,
  FromWorker,
  Given,
  Handlers,
  Request,
  Run,
  ToWorker,
  TraceFile,
} from './messages.ts';

/** Thrown when a cancelled request ends. */
const CANCELLED = Symbol('cancelled');

let ready: Promise<void>;
/** The core. */
let core: Core;
/** The core's own. */
let memory: WebAssembly.Memory;
let queue: Request[] = [];
let busy = false;
let cancelled = false;
/** The only request to cancel. */
let stopped: number | null = null;
/** Resolved unless the page pauses simulating. */
let going = Promise.resolve();
/** Ends a pause. */
let goOn = () => {};

/** The trace read last. */
let held: { source: TraceFile; trace: Trace } | null = null;
let replay: Replay | null = null;
/** Its number among the kept runs. */
let number = 0;
/** The details of it. */
let inspector: Inspector | null = null;

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'start') {
    ready = begin(data);
    ready.then(() => answer({ type: 'ready' }), fault);
  } else if (data.type === 'pause') {
    going = new Promise((resolve) => {
      goOn = resolve;
    });
  } else if (data.type === 'resume') {
    goOn();
  } else if (data.type === 'cancel') {
    goOn();
    for (const { id } of queue) answer({ id, type: 'cancelled' });
    queue = [];
    if (busy) cancelled = true;
    else answer({ type: 'idle' });
  } else if (data.type === 'stop') {
    const waits = queue.some(({ id }) => id === data.id);
    queue = queue.filter(({ id }) => id !== data.id);
    if (waits) answer({ id: data.id, type: 'cancelled' });
    else stopped = data.id;
  } else {
    queue.push(data);
    if (!busy) void work();
  }
};

async function begin({ module, script }: Build) {
  core = await import(script);
  memory = (await core.default({ module_or_path: module })).memory;
  core.on_panic((words: string) => answer({ type: 'fault', words }));
}

async function work() {
  busy = true;
  try {
    await ready;
    for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
      await going;
      await serve(request);
    }
  } catch (error) {
    fault(error);
    return;
  }
  busy = false;
}

async function serve(request: Request) {
  const { id } = request;
  try {
    const result = await perform(request.type, request, id);
    answer({ id, type: 'done', result }, pixels(result));
  } catch (error) {
    // The core rejects an input with a sentence; anything else is a bug in the core.
    if (typeof error === 'string') answer({ id, type: 'refused', words: error });
    else if (error === CANCELLED) answer({ id, type: 'cancelled' });
    else throw error;
  }
  if (cancelled) {
    cancelled = false;
    answer({ type: 'idle' });
  }
}

/** The handler of each request. */
const handlers: Handlers = {
  async read({ trace }, id) {
    return { ...(await open(trace, id)).report(), memory: memory.buffer.byteLength };
  },
  async diagnose({ trace }, id) {
    return (await open(trace, id)).diagnosis();
  },
  async about({ scenario, trace }, id) {
    return (await open(trace, id)).about(scenario);
  },
  async warning({ scenario, trace: file }, id) {
    const trace = await openIfAny(file, id);
    return withTrace(trace, (mine) => mine.warning(scenario) ?? null);
  },
  async submitted({ scenario, trace, from, until }, id) {
    return (await open(trace, id)).submitted(scenario, from, until) ?? null;
  },
  async cell(run, id) {
    return (await simulate(run, core.Keep.Metrics, id)).outcome();
  },
  estimate,
  async spread(run, id) {
    return (await simulate(run, core.Keep.Histories, id)).spread();
  },
  async log(run, id) {
    return (await simulate(run, core.Keep.Histories, id)).swf();
  },
  async replay(run, id) {
    const simulated = await simulate(run, core.Keep.Allocations, id);
    inspector?.free();
    inspector = null;
    replay?.free();
    const kept = simulated.replay();
    replay = kept;
    number = run.number;
    return kept.info();
  },
  async beside(run, id) {
    const simulated = await simulate(run, core.Keep.Allocations, id);
    return used(simulated.replay(), (other) => {
      if (replay === null) throw 'no run is kept';
      inspector?.free();
      inspector = replay.inspector();
      inspector.put_beside(other);
      return other.info();
    });
  },
  frame({ at, used, number: asked }) {
    if (replay === null) throw 'no run is kept';
    if (asked !== number) return null;
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
    if (replay === null) throw 'no run is kept';
    if (asked !== number) return null;
    inspector ??= replay.inspector();
    return callAll(inspector, calls);
  },
  async explain({ scenario, trace: file, cell, job, at }, id) {
    const trace = await openIfAny(file, id);
    return withTrace(trace, (mine) => core.explain(scenario, cell, mine, job, at));
  },
  composer({ scenario, policy }) {
    return core.composer(scenario, policy);
  },
  judge({ scenario, own }) {
    return core.judge(scenario, own);
  },
  write({ scenario, maker, outcomes, calls }) {
    return used(new core.Board(scenario), (board) => {
      board.made_by(maker);
      for (const outcome of outcomes) board.add(outcome);
      return callAll(board, calls);
    });
  },
  study({ scenario, engine, jobs }) {
    return core.study_archive(scenario, engine, jobs) as Uint8Array<ArrayBuffer>;
  },
  open({ contents }) {
    return core.open_file(contents);
  },
  restore({ kept }) {
    return core.open_kept(kept);
  },
  async topology({ text, trace: file }, id) {
    const trace = await openIfAny(file, id);
    return withTrace(trace, (mine) => core.open_topology(text, mine));
  },
  panic() {
    core.panic_on_purpose();
    throw new Error('the core did not panic');
  },
};

function perform<Name extends CallName>(name: Name, given: Given<Name>, id: number) {
  return handlers[name](given, id);
}

/**
 * The results of methods of an object of the core. The types of the calls define the methods and
 * their parameters.
 */
function callAll<Made>(of: object, calls: [method: string, ...given: unknown[]][]): Made[] {
  const methods = of as { [name: string]: (...given: unknown[]) => Made };
  return calls.map(([method, ...given]) => methods[method](...given));
}

/**
 * The result of `act` on an object of the core, which is then freed. After a panic of the core an
 * object cannot be freed, and the error of trying would replace the original one.
 */
function used<Held extends { free: () => void }, Made>(held: Held, act: (held: Held) => Made) {
  try {
    const made = act(held);
    held.free();
    return made;
  } catch (error) {
    if (typeof error === 'string') held.free();
    throw error;
  }
}

function withTrace<Made>(trace: Trace | null, act: (trace: Trace) => Made) {
  return trace === null ? used(core.Trace.none(), act) : act(trace);
}

/**
 * How far a run of a cell comes here in a short while, with its trace already read; null if
 * unknown.
 */
async function estimate({ scenario, trace: file, cell }: Run, id: number): Promise<Part | null> {
  const trace = await openIfAny(file, id);
  const begun = performance.now();
  const run = withTrace(trace, (mine) => new core.Run(scenario, cell, mine, core.Keep.Metrics));
  let spent = performance.now() - begun;
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
    if (cancelled) {
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
async function simulate({ scenario, trace: file, cell }: Run, keep: Keep, id: number) {
  const trace = await openIfAny(file, id);
  let spent = -performance.now();
  const run = withTrace(trace, (mine) => new core.Run(scenario, cell, mine, keep));
  spent += performance.now();
  // A few thousand events take about a millisecond; many servers take longer.
  let events = 256;
  let until = performance.now() + SLICE;
  for (;;) {
    const before = performance.now();
    const ended = run.advance(events);
    const now = performance.now();
    spent += now - before;
    if (ended) {
      answer({
        id,
        type: 'progress',
        done: 1,
        total: 1,
        effort: { spent, queued: 0, waiting: 0 },
      });
      return run;
    }
    if (now - before < SLICE / 8) events *= 2;
    else if (now - before > SLICE / 2 && events > 1) events /= 2;
    if (now < until) continue;
    const { done, total, queued, waiting } = standing(run);
    answer({ id, type: 'progress', done, total, effort: { spent, queued, waiting } });
    await breath();
    await going;
    if (cancelled || stopped === id) {
      run.free();
      throw CANCELLED;
    }
    until = performance.now() + SLICE;
  }
}

/** The trace of this file, read unless it is the last one read. */
async function open(source: TraceFile, id: number): Promise<Trace> {
  if (held !== null && same(held.source, source)) return held.trace;
  held?.trace.free();
  held = null;
  const { file, kind, processors } = source;
  const loader = new core.TraceLoader(
    file.name,
    kind,
    processors,
    source.cancelled,
    source.columns,
  );
  const reader = file.stream().getReader();
  let read = 0;
  let reported = performance.now();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    loader.push(value);
    read += value.length;
    if (performance.now() - reported > SLICE) {
      answer({ id, type: 'progress', done: read, total: file.size });
      reported = performance.now();
      await breath();
    }
    if (cancelled) {
      loader.free();
      await reader.cancel();
      throw CANCELLED;
    }
  }
  const trace = loader.finish();
  held = { source, trace };
  return trace;
}

/** The trace of a scenario's file; null if it has none. */
async function openIfAny(source: TraceFile | null, id: number) {
  return source === null ? null : open(source, id);
}

/**
 * Whether two readings of files give the same trace; a file posted twice arrives as two objects.
 */
function same(one: TraceFile, other: TraceFile) {
  return (
    one.kind === other.kind &&
    one.processors === other.processors &&
    one.cancelled === other.cancelled &&
    one.columns === other.columns &&
    one.file.name === other.file.name &&
    one.file.size === other.file.size &&
    one.file.lastModified === other.file.lastModified
  );
}

/** The long series in a result, which are transferred instead of copied. */
function pixels(result: unknown): Transferable[] {
  if (ArrayBuffer.isView(result)) return [result.buffer as ArrayBuffer];
  if (result === null || typeof result !== 'object') return [];
  return Object.values(result).flatMap((part) =>
    ArrayBuffer.isView(part) ? [part.buffer as ArrayBuffer] : [],
  );
}

function fault(error: unknown) {
  answer({ type: 'fault', words: String(error) });
}

function answer(message: FromWorker, transfer: Transferable[] = []) {
  postMessage(message, { transfer });
}
