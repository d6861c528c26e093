/**
 * A worker: it reads traces, simulates cells in slices, and keeps one run for inspection. It
 * receives messages from its first moment; requests before the core is ready wait in the queue.
 */
import { PILOT, PILOT_MOST, PILOT_SHARE, SLICE, breath } from './protocol.js';

/** @typedef {import('./messages.d.ts').TraceFile} TraceFile */
/** @typedef {import('./messages.d.ts').Request} Request */
/** @typedef {import('./messages.d.ts').Run} Run */
/** @typedef {import('../pkg/backfill_web.js').Trace} Trace */
/** @typedef {import('../pkg/backfill_web.js').Replay} Replay */
/** @typedef {import('../pkg/backfill_web.js').Inspector} Inspector */

/** Thrown when a cancelled request ends. */
const CANCELLED = Symbol('cancelled');

/** @type {Promise<void>} */
let ready;
/**
 * The core.
 * @type {typeof import('../pkg/backfill_web.js')}
 */
let core;
/** @type {WebAssembly.Memory} the core's own */
let memory;
/** @type {Request[]} */
let queue = [];
let busy = false;
let cancelled = false;
/** The only request to cancel. @type {number | null} */
let stopped = null;
/** Resolved unless the page pauses simulating. */
let going = Promise.resolve();
/** Ends a pause. */
let goOn = () => {};

/** @type {{source: TraceFile, trace: Trace} | null} the trace read last */
let held = null;
/** @type {Replay | null} */
let replay = null;
/** Its number among the kept runs. */
let number = 0;
/** @type {Inspector | null} the details of it */
let inspector = null;

self.onmessage = (/** @type {MessageEvent<import('./messages.d.ts').ToWorker>} */ { data }) => {
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

/** @param {import('./messages.d.ts').Build} build */
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

/**
 * The handler of each request.
 * @type {import('./messages.d.ts').Handlers}
 */
const handlers = {
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
    replay = simulated.replay();
    number = run.number;
    return replay.info();
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
    return /** @type {Uint8Array<ArrayBuffer>} */ (core.study_archive(scenario, engine, jobs));
  },
  open({ contents }) {
    return core.open_file(contents);
  },
  restore({ kept }) {
    return core.open_kept(kept);
  },
  panic() {
    core.panic_on_purpose();
    throw new Error('the core did not panic');
  },
};

/**
 * @template {import('./messages.d.ts').CallName} Name
 * @param {Name} name
 * @param {import('./messages.d.ts').Given<Name>} given
 * @param {number} id
 */
function perform(name, given, id) {
  return handlers[name](given, id);
}

/**
 * The results of methods of an object of the core. The types of the calls define the methods and
 * their parameters.
 * @template Made
 * @param {object} of
 * @param {[method: string, ...given: unknown[]][]} calls
 * @returns {Made[]}
 */
function callAll(of, calls) {
  const methods = /** @type {{[name: string]: (...given: unknown[]) => Made}} */ (of);
  return calls.map(([method, ...given]) => methods[method](...given));
}

/**
 * The result of `act` on an object of the core, which is then freed. After a panic of the core an
 * object cannot be freed, and the error of trying would replace the original one.
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
 * How far a run of a cell comes here in a short while, with its trace already read; null if
 * unknown.
 * @param {Run} of
 * @param {number} id
 * @returns {Promise<import('../forecast.js').Part | null>}
 */
async function estimate({ scenario, trace: file, cell }, id) {
  const trace = await openIfAny(file, id);
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
 * @param {import('../pkg/backfill_web.js').Run} run
 */
function standing(run) {
  const [done, total] = run.progress();
  const waiting = run.waiting();
  return { done, total, waiting, queued: waiting > 0 ? waiting / (done + waiting) : 0 };
}

/**
 * Runs one cell to its end, receiving messages between slices.
 * @param {Run} of
 * @param {import('../pkg/backfill_web.js').Keep} keep what to keep of the run
 * @param {number} id
 */
async function simulate({ scenario, trace: file, cell }, keep, id) {
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

/**
 * The trace of this file, read unless it is the last one read.
 * @param {TraceFile} source
 * @param {number} id
 * @returns {Promise<Trace>}
 */
async function open(source, id) {
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

/**
 * The trace of a scenario's file; null if it has none.
 * @param {TraceFile | null} source
 * @param {number} id
 */
async function openIfAny(source, id) {
  return source === null ? null : open(source, id);
}

/**
 * Whether two readings of files give the same trace; a file posted twice arrives as two objects.
 * @param {TraceFile} one
 * @param {TraceFile} other
 */
function same(one, other) {
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

/**
 * The long series in a result, which are transferred instead of copied.
 * @param {unknown} result
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
 * @param {import('./messages.d.ts').FromWorker} message
 * @param {Transferable[]} [transfer]
 */
function answer(message, transfer = []) {
  postMessage(message, { transfer });
}
