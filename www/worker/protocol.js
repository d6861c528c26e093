/**
 * What the page and its workers say to each other. Every request has a number; its answers carry
 * it. A request is answered by any number of `progress` and then exactly one of `done`, `refused`
 * (the input is at fault, the words say how) and `cancelled`. A `fault` ends the worker.
 *
 * @typedef {import('../pkg/backfill_web.js').Outcome} Outcome
 * @typedef {import('../pkg/backfill_web.js').TraceReport & {memory: number}} TraceReport what a
 *   reader found, and how many bytes of memory the core then had
 * @typedef {import('../pkg/backfill_web.js').ReplayInfo} ReplayInfo
 *
 * @typedef {{file: File, kind: 'swf' | 'csv', processors: string}} TraceFile a file of the user's,
 *   and how to read it
 *
 * @typedef {{module: WebAssembly.Module, script: string}} Build the compiled core, and the address
 *   of the script around it
 * @typedef {{type: 'start'} & Build} Start the first message to a worker
 * @typedef {{type: 'cancel'}} Cancel gives up every request so far
 * @typedef {{type: 'pause' | 'resume'}} Steer has the worker rest between two slices, or go on
 * @typedef {{type: 'read', trace: TraceFile}} Read reads a trace and answers with a TraceReport
 * @typedef {{type: 'diagnose', trace: TraceFile}} DiagnoseAsk answers with what ails a trace
 * @typedef {{type: 'warning', scenario: string, trace: TraceFile | null}} WarningAsk answers with
 *   how many jobs of a scenario can never run, in words, or null where all can
 * @typedef {{type: 'cell', scenario: string, trace: TraceFile | null, cell: number}} CellAsk runs
 *   one cell
 * @typedef {{type: 'estimate', scenario: string, trace: TraceFile | null, cell: number}}
 *   EstimateAsk tries one cell and answers with a Part of it: how much was done in a short while
 * @typedef {{type: 'spread', scenario: string, trace: TraceFile | null, cell: number}} SpreadAsk
 *   runs one cell and answers with how its waits are spread
 * @typedef {{type: 'replay', scenario: string, trace: TraceFile | null, cell: number, number:
 *   number}} ReplayAsk runs one cell and keeps what it leaves under a number
 * @typedef {{type: 'beside', scenario: string, trace: TraceFile | null, cell: number}} BesideAsk
 *   runs another cell and puts it beside the run that is kept
 * @typedef {{type: 'frame', at: number | null}} FrameAsk asks how much of the kept run's machine is
 *   in use at a second, or on average
 * @typedef {{type: 'look', calls: [method: string, ...given: any[]][], number: number}} LookAsk
 *   what these methods of the inspector of that run answer; null if another is kept by now
 * @typedef {{type: 'explain', scenario: string, trace: TraceFile | null, cell: number, job: number,
 *   at: number | null}} ExplainAsk why a job of a cell was refused or waits, then or when it
 *   arrived
 * @typedef {{type: 'panic'}} PanicAsk fault injection: the core panics
 * @typedef {{type: 'write', scenario: string, maker: string, outcomes: Outcome[], calls: [method:
 *   string, ...given: any[]][]}} WriteAsk what these methods of a board with these outcomes, made
 *   by that version of the core, write
 * @typedef {{type: 'log', scenario: string, trace: TraceFile | null, cell: number}} LogAsk runs one
 *   cell and answers with its jobs as a log
 * @typedef {{type: 'open', contents: string}} OpenAsk reads a scenario file or a result
 * @typedef {{type: 'restore', kept: import('../store.js').KeptResult}} RestoreAsk reads a
 *   result that was kept
 * @typedef {Read | DiagnoseAsk | WarningAsk | CellAsk | EstimateAsk | SpreadAsk | ReplayAsk |
 *   BesideAsk | FrameAsk | LookAsk | ExplainAsk | PanicAsk | WriteAsk | LogAsk | OpenAsk |
 *   RestoreAsk} Ask
 *
 * @typedef {{shares: Float32Array, paused: Uint32Array, jobs: [running: number, waiting: number,
 *   paused: number, migrations: number] | null}} Frame
 *
 * @typedef {{id: number, type: 'progress', done: number, total: number, effort?: Effort}} Progress
 * @typedef {{spent: number, queued: number}} Effort the milliseconds that simulating took so far,
 *   and which share of the arrived jobs waits
 * @typedef {{id: number, type: 'done', result: any}} Done
 * @typedef {{id: number, type: 'refused', words: string}} Refused
 * @typedef {{id: number, type: 'cancelled'}} Cancelled
 * @typedef {{type: 'ready'}} Ready the core is loaded
 * @typedef {{type: 'idle'}} Idle the answer to `cancel`
 * @typedef {{type: 'fault', words: string}} Fault
 * @typedef {Progress | Done | Refused | Cancelled | Ready | Idle | Fault} Answer
 */

/** How long a worker simulates before it listens again, in milliseconds. */
export const SLICE = 20;

/**
 * How long a worker tries a run to tell how long all of it takes: so many milliseconds at least
 * and, until it has done so much of it, so many at most.
 */
export const PILOT = 40;
export const PILOT_SHARE = 0.05;
export const PILOT_MOST = 240;

/**
 * How long a worker that simulates may say nothing before it is taken to be dead, in milliseconds.
 * It speaks every SLICE, but for a single event that takes long.
 */
export const SILENCE = 60_000;

/** How long the page waits for `idle` before it ends a worker, in milliseconds. */
export const PATIENCE = 250;

/** Lets messages and clicks in, and the page draw, before what follows. */
export function breath() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(null);
  });
}
