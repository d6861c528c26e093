/**
 * A worker: it reads traces, simulates cells in slices, and keeps one run to look inside.
 * It listens from its first moment; what is asked before the core is ready waits in the queue.
 */
import { PILOT, PILOT_MOST, PILOT_SHARE, SLICE, breath } from './protocol.js';

/** @typedef {import('./protocol.js').Ask} Ask */
/** @typedef {import('./protocol.js').TraceFile} TraceFile */
/** @typedef {Ask & {id: number}} Request */
/** @typedef {import('../pkg/complete/backfill_web.js').Trace} Trace */
/** @typedef {import('../pkg/complete/backfill_web.js').Replay} Replay */
/** @typedef {import('../pkg/complete/backfill_web.js').Inspector} Inspector */

/** Thrown where a cancelled request gives up. */
const CANCELLED = Symbol('cancelled');

/** @type {Promise<void>} */
let ready;
/**
 * The core; what only the complete one has is asked of that one only.
 * @type {typeof import('../pkg/complete/backfill_web.js')}
 */
let core;
/** @type {WebAssembly.Memory} the core's own */
let memory;
/** @type {Request[]} */
let queue = [];
let busy = false;
let cancelled = false;
/** Holds while the page does not want simulating to rest. */
let going = Promise.resolve();
/** Ends a rest. */
let goOn = () => {};

/** @type {{source: TraceFile, trace: Trace} | null} the trace read last */
let held = null;
/** @type {Replay | null} */
let replay = null;
/** Which of the runs that were to be kept it is. */
let number = 0;
/** @type {Inspector | null} what looks deeper into it */
let inspector = null;

self.onmessage = ({ data }) => {
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
  } else {
    queue.push(data);
    if (!busy) void work();
  }
};

/** @param {import('./protocol.js').Build} build */
async function begin({ module, script }) {
  core = await import(script);
  memory = (await core.default({ module_or_path: module })).memory;
  core.on_panic((/** @type {string} */ words) => answer({ type: 'fault', words }));
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

/** @param {Request} request */
async function serve(request) {
  const { id } = request;
  try {
    const result = await perform(request);
    answer({ id, type: 'done', result }, pixels(result));
  } catch (error) {
    // The core refuses an input with a sentence; anything else is its own fault.
    if (typeof error === 'string') answer({ id, type: 'refused', words: error });
    else if (error === CANCELLED) answer({ id, type: 'cancelled' });
    else throw error;
  }
  if (cancelled) {
    cancelled = false;
    answer({ type: 'idle' });
  }
}

/**
 * @param {Request} request
 * @returns {Promise<any>}
 */
async function perform(request) {
  switch (request.type) {
    case 'read':
      return {
        ...(await open(request.trace, request.id)).report(),
        memory: memory.buffer.byteLength,
      };
    case 'diagnose':
      return (await open(request.trace, request.id)).diagnosis();
    case 'warning': {
      const trace = request.trace === null ? null : await open(request.trace, request.id);
      return withTrace(trace, (mine) => mine.warning(request.scenario) ?? null);
    }
    case 'cell': {
      const run = await simulate(
        request.scenario,
        request.trace,
        request.cell,
        core.Keep.Metrics,
        request.id,
      );
      return run.outcome();
    }
    case 'estimate':
      return estimate(request.scenario, request.trace, request.cell, request.id);
    case 'spread':
      return (
        await simulate(request.scenario, request.trace, request.cell, core.Keep.Courses, request.id)
      ).spread();
    case 'replay': {
      const run = await simulate(
        request.scenario,
        request.trace,
        request.cell,
        core.Keep.Stints,
        request.id,
      );
      inspector?.free();
      inspector = null;
      replay?.free();
      replay = run.replay();
      number = request.number;
      return replay.info();
    }
    case 'beside': {
      const simulated = await simulate(
        request.scenario,
        request.trace,
        request.cell,
        core.Keep.Stints,
        request.id,
      );
      return used(simulated.replay(), (other) => {
        if (replay === null) throw 'no run is kept';
        inspector?.free();
        inspector = replay.inspector();
        inspector.put_beside(other);
        return other.info();
      });
    }
    case 'frame':
      if (replay === null) throw 'no run is kept';
      return request.at === null
        ? { shares: replay.mean_shares(), paused: new Uint32Array(), jobs: null }
        : {
            shares: replay.shares_at(request.at),
            paused: replay.paused_at(request.at),
            jobs: [...replay.jobs_at(request.at)],
          };
    case 'look': {
      if (replay === null) throw 'no run is kept';
      if (request.number !== number) return null;
      inspector ??= replay.inspector();
      const mine = inspector;
      return request.calls.map(([method, ...given]) =>
        Reflect.get(mine, method).apply(mine, given),
      );
    }
    case 'explain': {
      const trace = request.trace === null ? null : await open(request.trace, request.id);
      return withTrace(trace, (mine) =>
        core.explain(request.scenario, request.cell, mine, request.job, request.at ?? undefined),
      );
    }
    case 'write':
      return used(new core.Board(request.scenario), (board) => {
        board.made_by(request.maker);
        for (const outcome of request.outcomes) board.add(outcome);
        return request.calls.map(([method, ...given]) =>
          Reflect.get(board, method).apply(board, given),
        );
      });
    case 'log':
      return (
        await simulate(request.scenario, request.trace, request.cell, core.Keep.Courses, request.id)
      ).swf();
    case 'open':
      return core.open_file(request.contents);
    case 'restore':
      return core.open_kept(request.kept);
    case 'panic':
      return core.panic_on_purpose();
  }
}

/**
 * What `act` makes of something of the core's, which is freed then. What the core broke over is
 * beyond freeing, and the error of trying would take the place of the one that says what happened.
 * @template {{free: () => void}} Held
 * @template Made
 * @param {Held} held
 * @param {(held: Held) => Made} act
 */
function used(held, act) {
  try {
    const made = act(held);
    held.free();
    return made;
  } catch (error) {
    if (typeof error === 'string') held.free();
    throw error;
  }
}

/**
 * @template Made
 * @param {Trace | null} trace
 * @param {(trace: Trace) => Made} act
 */
function withTrace(trace, act) {
  return trace === null ? used(core.Trace.none(), act) : act(trace);
}

/**
 * How far a run of a cell comes here in a short while, a trace already read; null where that cannot
 * be told.
 * @param {string} scenario
 * @param {TraceFile | null} file
 * @param {number} cell
 * @param {number} id
 * @returns {Promise<import('../forecast.js').Part | null>}
 */
async function estimate(scenario, file, cell, id) {
  const trace = file === null ? null : await open(file, id);
  const begun = performance.now();
  const run = withTrace(trace, (mine) => new core.Run(scenario, cell, mine, core.Keep.Metrics));
  let spent = performance.now() - begun;
  const most = spent + PILOT_MOST;
  const least = spent + PILOT;
  /** @type {import('../forecast.js').Part | null} */
  let part = null;
  let heard = spent;
  while (spent < least || ((part?.share ?? 0) < PILOT_SHARE && spent < most)) {
    const before = performance.now();
    const over = run.advance(64);
    spent += performance.now() - before;
    if (over) {
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
 * How many jobs of a run are done with, of how many, and which share waits of those that have
 * arrived.
 * @param {import('../pkg/complete/backfill_web.js').Run} run
 */
function standing(run) {
  const [done, total] = run.progress();
  const waiting = run.waiting();
  return { done, total, queued: waiting > 0 ? waiting / (done + waiting) : 0 };
}

/**
 * Runs one cell to its end, listening between slices.
 * @param {string} scenario
 * @param {TraceFile | null} file
 * @param {number} cell
 * @param {import('../pkg/complete/backfill_web.js').Keep} keep
 * @param {number} id
 */
async function simulate(scenario, file, cell, keep, id) {
  const trace = file === null ? null : await open(file, id);
  let spent = -performance.now();
  const run = withTrace(trace, (mine) => new core.Run(scenario, cell, mine, keep));
  spent += performance.now();
  // A few thousand events take about a millisecond; a fabric of many servers takes longer.
  let events = 256;
  let until = performance.now() + SLICE;
  for (;;) {
    const before = performance.now();
    const over = run.advance(events);
    const now = performance.now();
    spent += now - before;
    if (over) {
      answer({ id, type: 'progress', done: 1, total: 1, effort: { spent, queued: 0 } });
      return run;
    }
    if (now - before < SLICE / 8) events *= 2;
    else if (now - before > SLICE / 2 && events > 1) events /= 2;
    if (now < until) continue;
    const { done, total, queued } = standing(run);
    answer({ id, type: 'progress', done, total, effort: { spent, queued } });
    await breath();
    await going;
    if (cancelled) {
      run.free();
      throw CANCELLED;
    }
    until = performance.now() + SLICE;
  }
}

/**
 * The trace of this file, read unless it is the one read last.
 * @param {TraceFile} source
 * @param {number} id
 * @returns {Promise<Trace>}
 */
async function open(source, id) {
  if (held !== null && same(held.source, source)) return held.trace;
  held?.trace.free();
  held = null;
  const loader = new core.TraceLoader(source.file.name, source.kind, source.processors);
  const reader = source.file.stream().getReader();
  let read = 0;
  let told = performance.now();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    loader.push(value);
    read += value.length;
    if (performance.now() - told > SLICE) {
      answer({ id, type: 'progress', done: read, total: source.file.size });
      told = performance.now();
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

/**
 * Whether two readings of files give the same trace; a file that was posted twice comes as two
 * objects.
 * @param {TraceFile} one
 * @param {TraceFile} other
 */
function same(one, other) {
  return (
    one.kind === other.kind &&
    one.processors === other.processors &&
    one.file.name === other.file.name &&
    one.file.size === other.file.size &&
    one.file.lastModified === other.file.lastModified
  );
}

/**
 * The long series in a result, which are handed over rather than copied.
 * @param {any} result
 * @returns {Transferable[]}
 */
function pixels(result) {
  if (ArrayBuffer.isView(result)) return [/** @type {ArrayBuffer} */ (result.buffer)];
  if (result === null || typeof result !== 'object') return [];
  return Object.values(result).flatMap((part) =>
    ArrayBuffer.isView(part) ? [/** @type {ArrayBuffer} */ (part.buffer)] : [],
  );
}

/** @param {unknown} error */
function fault(error) {
  answer({ type: 'fault', words: String(error) });
}

/**
 * @param {import('./protocol.js').Answer} message
 * @param {Transferable[]} [transfer]
 */
function answer(message, transfer = []) {
  postMessage(message, { transfer });
}
