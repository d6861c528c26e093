/**
 * The runs so far, stored in the browser: the last ones and those pinned, each with its scenario
 * and its result. And the traces, if the user wants them stored.
 */
import { signal } from '@preact/signals';
import { keep, remember, remembered } from './remembered.ts';
import { Keeper } from './store.ts';
import { historyTexts } from './texts/history.ts';
import { say } from './view/banners.tsx';
import type { KeptRun, KeptTrace } from './store.ts';

/** The number of runs stored besides those pinned. */
const RUNS = 20;
/** Results with more runs than this are kept as scenarios only. */
const OUTCOMES = 5000;
/** The storage key of the choice to store traces. */
const KEEP_TRACES = 'keep-traces';

export class KeptRuns {
  /** Oldest first. */
  readonly runs = signal<KeptRun[]>([]);
  readonly traces = signal<KeptTrace[]>([]);
  /** Whether the user wants traces stored. */
  readonly keepsTraces = signal(remembered(KEEP_TRACES) === 'true');
  /** What there is to say about the list. */
  readonly note = signal('');
  readonly #keeper = new Keeper((why) =>
    say('storage', { title: historyTexts.lost, details: historyTexts.lostDetails(why) }),
  );

  /** Reads again what is stored. */
  async refresh() {
    const runs = await this.#keeper.all('runs');
    const traces = await this.#keeper.all('traces');
    const lasts = await this.#keeper.lasts();
    this.runs.value = runs;
    this.traces.value = traces;
    this.note.value = !lasts ? historyTexts.passing : runs.length === 0 ? historyTexts.none : '';
  }

  /** A run as it is stored now. */
  async current(id: number) {
    return (await this.#keeper.all('runs')).find((run) => run.id === id);
  }

  /** Changes something of a stored run. */
  async alter(id: number, change: Partial<KeptRun>) {
    const run = await this.current(id);
    if (run !== undefined) await this.#keeper.put('runs', { ...run, ...change });
    await this.refresh();
  }

  async removeRun(id: number) {
    await this.#keeper.remove('runs', id);
    await this.refresh();
  }

  async removeTrace(sha256: string) {
    await this.#keeper.remove('traces', sha256);
    await this.refresh();
  }

  /** Removes everything that the page has stored. */
  async forget() {
    await this.#keeper.clear();
    keep(() => localStorage.clear());
    this.keepsTraces.value = false;
    await this.refresh();
  }

  /** Stores a finished run in place of the same one before; the oldest makes room. */
  async add(run: Omit<KeptRun, 'id' | 'name' | 'pinned'>) {
    const runs = await this.#keeper.all('runs');
    const same = runs.find(
      ({ digest, scenario }) =>
        digest === run.digest && JSON.stringify(scenario) === JSON.stringify(run.scenario),
    );
    if (same !== undefined) await this.#keeper.remove('runs', same.id);
    const { name = '', pinned = false } = same ?? {};
    const outcomes = run.outcomes.length > OUTCOMES ? [] : run.outcomes;
    try {
      await this.#keeper.put('runs', { ...run, outcomes, name, pinned, id: Date.now() });
      const loose = (await this.#keeper.all('runs')).filter((each) => !each.pinned);
      for (const { id } of loose.slice(0, Math.max(0, loose.length - RUNS)))
        await this.#keeper.remove('runs', id);
    } catch {
      this.note.value = historyTexts.noRoom;
      return;
    }
    await this.refresh();
  }

  /** Stores the view of the last run with this digest. */
  async keepView(digest: string, view: string) {
    const runs = (await this.#keeper.all('runs')).reverse();
    const run = runs.find((each) => each.digest === digest);
    if (run === undefined || run.view === view) return;
    // Without room the run opens in the view it was made with.
    await this.#keeper.put('runs', { ...run, view }).catch(() => {});
  }

  /** Remembers whether traces are to be stored. */
  wantTraces(wanted: boolean) {
    this.keepsTraces.value = wanted;
    remember(KEEP_TRACES, String(wanted));
  }

  /** Stores a trace if the user wants that. */
  async keepTrace(trace: KeptTrace) {
    if (!this.keepsTraces.value) return;
    try {
      await this.#keeper.put('traces', trace);
    } catch {
      this.note.value = historyTexts.noRoom;
      return;
    }
    await this.refresh();
  }

  async trace(sha256: string) {
    const kept = await this.#keeper.all('traces');
    return kept.find((each) => each.sha256 === sha256)?.file ?? null;
  }
}
