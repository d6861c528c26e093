/**
 * The core of Backfill for scripts and pages of others: run a scenario, ask why a job waits, and
 * forecast when one would start. Everything that cannot be done is an `Error` whose message is one
 * sentence of the core: what is wrong, where, and what to do.
 */
import { simulateInSlices } from '../src/worker/slices.ts';
import { lengthened, passedOn } from '../src/short-link.ts';
import { holding, loadFrom, withCore, withCoreUntil } from './held.ts';
import { othersTurn, withLog } from './log.ts';
import { checked, entriesOf, linkIn, unpacked } from './scenario.ts';
import type { Asked, CellOutcome, NamedLink, Told } from '../pkg/backfill_web.js';
import type { Core } from '../src/core.ts';
import type { Opened } from './log.ts';
import type {
  AskedJob,
  ExplainOptions,
  Instant,
  OpenedLink,
  ProgressOptions,
  Result,
  Scenario,
  Source,
} from './types.ts';

export type { CellOutcome, NamedLink, Summary, Told, TraceReport } from '../pkg/backfill_web.js';
export type * from './types.ts';

/**
 * Loads the core; to be awaited before anything else, and once is enough.
 * @param source the module, compiled or as bytes; without it the file beside this script is taken,
 *   read by Node and fetched by browsers
 * @throws Error where the file cannot be fetched or is no such module
 */
export function load(source?: Source): Promise<void> {
  return loadFrom(source);
}

/**
 * Simulates every run of a scenario, one after the other; others get their turn in between.
 * @throws Error where the scenario or the log cannot be used, and the reason of an aborted signal
 */
export function run(scenario: Scenario, options: ProgressOptions = {}): Promise<Result> {
  const { signal, onProgress } = options;
  return withCoreUntil(signal, async (core) =>
    withLog(core, entriesOf(core, await unpacked(scenario)), options, async (opened) => {
      const outcomes: CellOutcome[] = [];
      const cells = core.running_order(opened.reading.text);
      for (const [done, cell] of cells.entries()) {
        await othersTurn(signal);
        outcomes[cell] = await simulate(core, opened, cell, signal);
        onProgress?.(done + 1, cells.length);
      }
      return told(core, opened, outcomes);
    }),
  );
}

async function simulate(
  core: Core,
  { reading, trace }: Opened,
  cell: number,
  signal: AbortSignal | undefined,
) {
  const run = new core.Run(reading.text, cell, trace, core.Keep.Metrics);
  await simulateInSlices(run, 0, () => othersTurn(signal));
  return run.outcome();
}

async function told(core: Core, { reading, report }: Opened, outcomes: CellOutcome[]) {
  return holding(new core.Board(reading.text), async (board): Promise<Result> => {
    for (const outcome of outcomes) board.add(outcome);
    const digest = board.digest() ?? '';
    const rows = reading.y?.values ?? [''];
    return {
      digest,
      link: await passedOn(
        core.write_link(reading.text, digest, undefined, undefined, undefined, true),
      ),
      scenario: Object.fromEntries(reading.changed),
      summaries: rows.map((_, y) => board.summary(y, null, false)),
      outcomes,
      log: report,
    };
  });
}

/**
 * The link to a scenario, from its `#` on: put it behind the address of a page.
 * @throws Error where the scenario cannot be used or is too long for a link
 */
export function link(scenario: Scenario): string {
  return withCore((core) => core.write_link(checked(core, entriesOf(core, scenario)).text, ''));
}

/**
 * What a link holds: the inverse of `link`.
 * @param link from its `#` on, or a whole address
 * @throws Error where it is damaged or of a later version
 */
export function readLink(link: string): OpenedLink {
  return withCore((core) => {
    const { pairs, digest, core: version, typed } = core.read_link(linkIn(link) ?? link);
    return { scenario: Object.fromEntries(pairs), digest, core: version, typed };
  });
}

/**
 * The plain form of a link, which `link` and `readLink` take; all other functions take a short one too.
 * @param link from its `#` on, or a whole address
 * @throws Error where a short link is damaged
 */
export async function plainLink(link: string): Promise<string> {
  return lengthened(linkIn(link) ?? link);
}

/**
 * Explains why a job was rejected, or why it waits.
 * @param job its position among the jobs of the run, from 0
 * @returns sentences in pieces: text, instants in seconds since the first submit, and links by name
 * @throws Error where the run has no such job or decisions of its policy cannot be explained
 */
export function explain(
  scenario: Scenario,
  job: number,
  options: ExplainOptions = {},
): Promise<(string | number | NamedLink)[]> {
  const { run = 0, at, signal } = options;
  return withCoreUntil(signal, async (core) =>
    withLog(core, entriesOf(core, await unpacked(scenario)), options, async ({ reading, trace }) =>
      core.explain(reading.text, run, trace, job, at),
    ),
  );
}

/**
 * Forecasts when a job would start, as a distribution over futures whose run times and arrivals are
 * drawn from the log. The scenario is taken with one run: nothing is swept, and `policy` is one.
 * Its key `futures` says how many are simulated.
 * @returns the forecast in numbers and sentences; times are seconds
 * @throws Error where that cannot be forecast, and the reason of an aborted signal
 */
export function forecast(
  scenario: Scenario,
  job: AskedJob & Instant,
  options: ProgressOptions = {},
): Promise<Told> {
  return withCoreUntil(options.signal, async (core) => {
    const single = {
      ...entriesOf(core, await unpacked(scenario)),
      x: 'none',
      y: 'none',
      reps: '1',
    };
    return withLog(core, single, options, ({ reading, trace }) =>
      holding(new core.Forecaster(reading.text, trace), (forecaster) => {
        const [size, limit] = [String(job.size), String(job.limit)];
        const asked =
          'at' in job
            ? forecaster.at(String(job.at), size, limit, String(job.bandwidth ?? ''))
            : forecaster.queue(trace, job.squeue, job.processors ?? false, size, limit);
        const futures = Number(Object.fromEntries(reading.values).futures);
        return holding(asked, (asked) => overFutures(asked, futures, options));
      }),
    );
  });
}

async function overFutures(asked: Asked, futures: number, { signal, onProgress }: ProgressOptions) {
  const each = async (found: (seed: number) => Float64Array) => {
    const all: number[] = [];
    for (let seed = 0; seed < futures; seed += 1) {
      all.push(...found(seed));
      await othersTurn(signal);
    }
    return all;
  };
  const starts = await each((seed) => {
    onProgress?.(seed, futures);
    return asked.starts(seed, seed + 1);
  });
  onProgress?.(futures, futures);
  const first = asked.told(starts, [], []);
  const { start_s: start, wait_s: wait } = first.forecast.p50;
  if (start === null || wait === 0) return first;
  return asked.told(starts, await each((seed) => asked.holds([seed], start)), []);
}
