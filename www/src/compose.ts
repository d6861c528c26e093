/** Builds the views of the page and connects them with state and actions. */
import { byId } from './dom.ts';
import { onDrop, onPaste } from './files.ts';
import { part } from './part.ts';
import {
  dark,
  enterAll,
  entries,
  estimate,
  facet,
  hidden,
  reading,
  summary,
  traceFor,
} from './state.ts';
import { coreTexts } from './texts/core.ts';
import { exampleTexts } from './texts/example.ts';
import { say, unsay } from './view/banners.ts';
import { charts } from './view/charts.ts';
import { facetChoice } from './view/facet.ts';
import { form } from './view/form.ts';
import { landing } from './view/landing.ts';
import { isNarrow, scenarioLine } from './view/layout.ts';
import { legend } from './view/legend.ts';
import { Replay } from './view/replay.tsx';
import { answerWords, runControls } from './view/run.ts';
import { table } from './view/table.ts';
import { tabs } from './view/tabs.ts';
import { traceField } from './view/trace.ts';
import { warn } from './warning.ts';
import { breath } from './worker/protocol.ts';
import { WorkerClient } from './worker/worker-client.ts';
import type { Board, Geometry, Glossary, Look, Summary } from '../pkg/backfill_web.js';
import type { Answer } from './answer.ts';
import type { Core } from './core.ts';
import type { Documents } from './documents.ts';
import type { estimates } from './estimate.ts';
import type { Links } from './link.ts';
import type { Tables } from './state.ts';
import type { Draw } from './view/charts.ts';
import type { composer } from './view/composer.tsx';
import type { Workbench } from './workbench.ts';
import type { Build } from './worker/messages.ts';

interface ComposeParts {
  /** The core, for further workers. */
  build: Build;
  core: Core;
  tables: Tables;
  answer: Answer;
  estimates: ReturnType<typeof estimates>;
  workbench: Workbench;
  documents: Documents;
  links: Links;
  replayWorker: WorkerClient;
}

/**
 * Builds the page part by part, so that none of its tasks is long.
 * @returns the view of one run
 */
export async function compose({
  build,
  core,
  tables,
  answer,
  estimates,
  workbench,
  documents,
  links,
  replayWorker,
}: ComposeParts): Promise<Replay> {
  const { styles } = tables;
  if (isNarrow()) (byId('scenario') as HTMLDetailsElement).open = false;
  scenarioLine(tables);
  await breath();
  /** Opens the composer, once it is fetched. */
  let openComposer: ReturnType<typeof composer> | null = null;
  /**
   * Turns a policy into one that the user composes.
   * @param place its position
   * @param isTask whether its order is left for the user to fill in
   */
  const makeOwn = async (place: number, isTask: boolean = false) => {
    await part(async () => {
      const view = await import('./view/composer.tsx');
      openComposer ??= view.composer({
        startedExportWorker: documents.startedExportWorker,
        replayWorker,
        keys: tables.keys,
        run: workbench.runInstead,
      });
      await openComposer(place, isTask);
    });
  };
  form(tables, {
    newSeed: core.new_seed,
    lookAhead: (all) => void workbench.lookAhead(all),
    makeOwn: (place) => void makeOwn(place),
    traceField: traceField(
      (file) => void documents.takeFile(file),
      () => void documents.examine(),
    ),
  });
  await breath();
  runControls(() => void workbench.run(), workbench.cancel, workbench.pauseOrResume);
  estimates.watch();
  warn(async (now) => {
    if (now.trace === null)
      return documents.startedExportWorker().ask('warning', {
        scenario: now.text,
        trace: null,
      });
    const mine = traceFor(now);
    return mine === null ? null : replayWorker.ask('warning', { scenario: now.text, trace: mine });
  });
  estimate.watch(() => void workbench.answerAtOnce());
  answerWords();
  legend(styles);
  facetChoice();
  table();
  /** Draws something of the answer as a chart. */
  const drawn =
    (
      paint: (
        board: Board,
        canvas: HTMLCanvasElement,
        metric: string,
        y: number,
        look: Look,
      ) => Geometry | null,
    ): Draw =>
    (canvas, metric, hidden, isDark, width, height, seen) => {
      const look = new core.Look(hidden, isDark, width, height);
      try {
        look.see(seen);
        return answer.board === null
          ? null
          : paint(answer.board, canvas, metric, facet.get(), look);
      } finally {
        look.free();
      }
    };
  const drawChart = drawn((board, ...asked) => board.draw(...asked));
  charts(styles, drawChart, (policy, x) => replay.look(policy, x, facet.get()));
  /** The charts by day are fetched for the first answer that is measured by day. */
  const overDays: (now: Summary | null) => void = async (now) => {
    const byDay = (x: number) => answer.board?.by_day(x, facet.get()) ?? null;
    if (now === null || byDay(now.x.values.length - 1) === null) return;
    summary.ignore(overDays);
    const view = await part(() => import('./view/on-demand.ts'));
    view?.byDayView(styles, {
      byDay,
      draw: (x) =>
        drawn((board, canvas, what, y, look) => board.draw_by_day(canvas, what, x, y, look)),
      look: (policy, x) => replay.look(policy, x, facet.get()),
      use: async (from, until) => {
        const now = reading.get();
        const mine = now === null ? null : traceFor(now);
        if (now === null || mine === null) return false;
        const asked = { scenario: now.text, trace: mine, from, until };
        const found = await replayWorker.ask('submitted', asked);
        if (found === null) return false;
        const { first: _, ...others } = entries.get();
        entries.set({ ...others, slice: found.join('-') });
        workbench.runInstead();
        return true;
      },
    });
  };
  summary.watch(overDays);
  /** The heatmaps are fetched for the first answer over two keys. */
  const overTwoKeys: (now: Summary | null) => void = async (now) => {
    if (now === null || now.y.label === '') return;
    summary.ignore(overTwoKeys);
    const view = await part(() => import('./view/on-demand.ts'));
    view?.surfaceView({
      compared: () => answer.board?.compared() ?? '',
      draw: (canvas, metric, width) => {
        const look = new core.Look(Uint32Array.from(hidden.get()), dark.get(), width, 0);
        try {
          return answer.board === null
            ? null
            : answer.board.draw_surface(canvas, metric, facet.get(), look);
        } finally {
          look.free();
        }
      },
    });
  };
  summary.watch(overTwoKeys);
  const { startedExportWorker } = documents;
  const replay = new Replay({ replayWorker, core, startedExportWorker });
  workbench.whenAnswered(async () => {
    const view = await part(() => import('./view/after-answer.ts'));
    if (view === null) return;
    const reference = tables.keys.find(({ kind }) => kind === 'reference')?.name ?? '';
    view.compareView(styles, {
      compared: () => answer.board?.compared() ?? '',
      compare: (metric) => answer.board?.compare(metric, facet.get()) ?? null,
      draw: drawn((board, ...asked) => board.draw_differences(...asked)),
      look: (policy, x) => replay.look(policy, x, facet.get()),
      refer: (policy) => entries.set({ ...entries.get(), [reference]: policy }),
      settle: (key, value) => {
        entries.set({ ...entries.get(), [key]: value });
        workbench.runInstead();
      },
      replicate: (metric, percent) => void workbench.replicate(metric, percent),
    });
    view.fairnessView(core, styles, {
      runs: (x) => answer.cellsAt(x),
      startWorker: () => new WorkerClient(build),
      look: (policy, x) => replay.look(policy, x, facet.get()),
    });
  });
  tabs(() => void replay.deepen());
  const shareButton = byId('share');
  shareButton.onclick = async () => {
    if (links.shared('', '') === null) return;
    const view = await part(() => import('./view/dialogs.ts'));
    if (view === null) return;
    const open = view.shareDialog(links.shared, () => void documents.saveScenario());
    shareButton.onclick = open;
    open();
  };
  const exportButton = byId('export');
  exportButton.onclick = async () => {
    const view = await part(() => import('./view/dialogs.ts'));
    if (view === null) return;
    const open = view.exportDialog({
      write: documents.write,
      paint(canvas, metric, width, height, ratio) {
        const look = core.Look.picture(width, height, ratio);
        answer.board?.draw(canvas, metric, facet.get(), look);
        look.free();
      },
      async log(cell) {
        return documents
          .startedExportWorker()
          .ask('log', { scenario: answer.text ?? '', trace: answer.source, cell });
      },
      trace: () => (answer.source === null ? null : answer.traceName),
    });
    exportButton.onclick = open;
    open();
  };
  workbench.whenAnswered(async () => {
    await documents.remembering();
  });
  workbench.whenAnswered(async () => {
    const view = await part(() => import('./view/after-answer.ts'));
    view?.printedScenario(tables);
  });
  onDrop((files) => void documents.takeFiles(files));
  onPaste(
    (files) => void documents.takeFiles(files),
    (hash) => {
      location.hash = hash;
    },
  );
  exampleChoice(tables.examples, workbench.runInstead, () => void makeOwn(0, true));
  const chooseFile = () => byId('file').click();
  byId('open').onclick = chooseFile;
  landing(chooseFile);
  byId('version').textContent = coreTexts.version(tables.version);
  byId('tools').hidden = false;

  keepWhenUsed();
  explainWhenAsked(core.glossary);
  keySheet();
  return replay;
}

/**
 * @param run runs the chosen one
 * @param compose lets the user add a policy to it
 */
function exampleChoice(examples: Tables['examples'], run: () => void, compose: () => void) {
  const select = byId('example') as HTMLSelectElement;
  select.append(
    new Option(exampleTexts.choose, ''),
    ...examples.map(({ label }, place) => new Option(label, String(place))),
  );
  select.onchange = () => {
    const example = examples[Number(select.value)];
    select.value = '';
    if (example === undefined) return;
    unsay('task');
    if (example.own)
      say('task', {
        title: example.label,
        details: exampleTexts.task,
        actions: [{ words: exampleTexts.write, act: compose }],
      });
    enterAll(example.pairs);
    run();
  };
}

/**
 * Keeps the page for use without a network, as soon as a visitor uses it or has used it before.
 */
function keepWhenUsed() {
  let asked = false;
  const keep = async () => {
    if (asked) return;
    asked = true;
    // It cannot be fetched while the page is being closed; the next page tries again.
    await import('./offline.ts').then(
      (offline) => offline.keep(),
      () => {},
    );
  };
  if (navigator.serviceWorker?.controller) void keep();
  for (const use of ['pointerdown', 'keydown'])
    addEventListener(use, () => void keep(), { once: true });
}

/** Explains names, starting with the first one that the visitor points at, taps or focuses. */
function explainWhenAsked(glossary: () => Glossary) {
  const events = ['pointerover', 'focusin', 'click'] as const;
  let latest: Event | null = null;
  const explain = async (event: Event) => {
    const { target } = event;
    if (!(target instanceof Element && target.closest('[data-term], [data-hint]'))) return;
    const waits = latest !== null;
    latest = event;
    if (waits) return;
    const view = await import('./view/glossary.ts').catch(() => null);
    if (view !== null) {
      for (const name of events) removeEventListener(name, explain);
      view.explainNames(glossary(), latest);
    }
    latest = null;
  };
  for (const name of events) addEventListener(name, explain);
}

/** Shows the keys, or the palette, by button or key. */
function keySheet() {
  const show = async () => (await part(() => import('./view/dialogs.ts')))?.showKeys();
  const find = async () => (await part(() => import('./view/dialogs.ts')))?.showPalette();
  byId('keys').onclick = () => void show();
  byId('find').onclick = () => void find();
  byId('keys').hidden = byId('find').hidden = false;
  document.addEventListener('keydown', (event) => {
    if (
      event.key.toLowerCase() !== 'k' ||
      !(event.ctrlKey || event.metaKey) ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    void find();
  });
  document.addEventListener('keydown', (event) => {
    const typing =
      event.target instanceof HTMLInputElement ||
      event.target instanceof HTMLTextAreaElement ||
      event.target instanceof HTMLSelectElement;
    if (event.key === '?' && !typing) void show();
  });
}
