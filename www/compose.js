/** Builds the views of the page and connects them with state and actions. */
import { byId } from './dom.js';
import { onDrop, onPaste } from './files.js';
import { part } from './part.js';
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
} from './state.js';
import { texts } from './texts.js';
import { say, unsay } from './view/banners.js';
import { charts } from './view/charts.js';
import { facetChoice } from './view/facet.js';
import { form } from './view/form.js';
import { landing } from './view/landing.js';
import { isNarrow, scenarioLine } from './view/layout.js';
import { legend } from './view/legend.js';
import { replayView } from './view/replay.js';
import { answerWords, runControls } from './view/run.js';
import { table } from './view/table.js';
import { tabs } from './view/tabs.js';
import { traceField } from './view/trace.js';
import { warn } from './warning.js';
import { breath } from './worker/protocol.js';
import { WorkerClient } from './worker/worker-client.js';

/**
 * Builds the page part by part, so that none of its tasks is long.
 * @param {object} given
 * @param {import('./worker/messages.d.ts').Build} given.build the core, for further workers
 * @param {typeof import('./pkg/backfill_web.js')} given.core
 * @param {import('./state.js').Tables} given.tables
 * @param {import('./answer.js').Answer} given.answer
 * @param {ReturnType<typeof import('./estimate.js').estimates>} given.estimates
 * @param {import('./workbench.js').Workbench} given.workbench
 * @param {import('./documents.js').Documents} given.documents
 * @param {import('./link.js').Links} given.links
 * @param {import('./worker/worker-client.js').WorkerClient} given.replayWorker
 * @returns {Promise<ReturnType<typeof replayView>>} the view of one run
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
}) {
  const { styles } = tables;
  if (isNarrow()) /** @type {HTMLDetailsElement} */ (byId('scenario')).open = false;
  scenarioLine(tables);
  await breath();
  /** Opens the composer, once it is fetched. @type {ReturnType<typeof import('./view/own-policy.js').composer> | null} */
  let openComposer = null;
  /**
   * Turns a policy into one that the user composes.
   * @param {number} place its position
   * @param {boolean} [isTask] whether its order is left for the user to fill in
   */
  const makeOwn = async (place, isTask = false) => {
    await part(async () => {
      const view = await import('./view/own-policy.js');
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
  /**
   * Draws something of the answer as a chart.
   * @param {(board: import('./pkg/backfill_web.js').Board, canvas: HTMLCanvasElement, metric:
   *   string, y: number, look: import('./pkg/backfill_web.js').Look) =>
   *   import('./pkg/backfill_web.js').Geometry | null} paint
   * @returns {import('./view/charts.js').Draw}
   */
  const drawn = (paint) => (canvas, metric, hidden, isDark, width, height, seen) => {
    const look = new core.Look(hidden, isDark, width, height);
    try {
      look.see(seen);
      return answer.board === null ? null : paint(answer.board, canvas, metric, facet.get(), look);
    } finally {
      look.free();
    }
  };
  const drawChart = drawn((board, ...asked) => board.draw(...asked));
  charts(styles, drawChart, (policy, x) => replay.look(policy, x, facet.get()));
  /**
   * The charts by day are fetched for the first answer that is measured by day.
   * @type {(now: import('./pkg/backfill_web.js').Summary | null) => void}
   */
  const overDays = async (now) => {
    const byDay = (/** @type {number} */ x) => answer.board?.by_day(x, facet.get()) ?? null;
    if (now === null || byDay(now.x.values.length - 1) === null) return;
    summary.ignore(overDays);
    const view = await part(() => import('./view/by-day.js'));
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
  /**
   * The heatmaps are fetched for the first answer over two keys.
   * @type {(now: import('./pkg/backfill_web.js').Summary | null) => void}
   */
  const overTwoKeys = async (now) => {
    if (now === null || now.y.label === '') return;
    summary.ignore(overTwoKeys);
    const view = await part(() => import('./view/surface.js'));
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
  const replay = replayView(replayWorker, core, documents.startedExportWorker);
  workbench.whenAnswered(async () => {
    // Both at once, so that the lower one does not come first and then move.
    const [compare, fairness] = await Promise.all([
      part(() => import('./view/compare.js')),
      part(() => import('./view/fairness.js')),
    ]);
    const reference = tables.keys.find(({ kind }) => kind === 'reference')?.name ?? '';
    compare?.compareView(styles, {
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
    fairness?.fairnessView(core, styles, {
      runs: (x) => answer.cellsAt(x),
      startWorker: () => new WorkerClient(build),
      look: (policy, x) => replay.look(policy, x, facet.get()),
    });
  });
  tabs(() => void replay.deepen());
  const shareButton = byId('share');
  shareButton.onclick = async () => {
    if (links.shared('', '') === null) return;
    const view = await part(() => import('./view/share.js'));
    if (view === null) return;
    const open = view.shareDialog(links.shared, () => void documents.saveScenario());
    shareButton.onclick = open;
    open();
  };
  const exportButton = byId('export');
  exportButton.onclick = async () => {
    const view = await part(() => import('./view/export.js'));
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
    const view = await part(() => import('./view/print.js'));
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
  byId('version').textContent = texts.core.version(tables.version);
  byId('tools').hidden = false;

  keepWhenUsed();
  explainWhenAsked(core.glossary);
  keySheet();
  return replay;
}

/**
 * @param {import('./state.js').Tables['examples']} examples
 * @param {() => void} run runs the chosen one
 * @param {() => void} compose lets the user add a policy to it
 */
function exampleChoice(examples, run, compose) {
  const select = /** @type {HTMLSelectElement} */ (byId('example'));
  select.append(
    new Option(texts.example.choose, ''),
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
        details: texts.own.task,
        actions: [{ words: texts.own.write, act: compose }],
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
    await import('./offline.js').then(
      (offline) => offline.keep(),
      () => {},
    );
  };
  if (navigator.serviceWorker?.controller) void keep();
  for (const use of ['pointerdown', 'keydown'])
    addEventListener(use, () => void keep(), { once: true });
}

/**
 * Explains names, starting with the first one that the visitor points at, taps or focuses.
 * @param {() => import('./pkg/backfill_web.js').Glossary} glossary
 */
function explainWhenAsked(glossary) {
  const events = /** @type {const} */ (['pointerover', 'focusin', 'click']);
  /** @type {Event | null} */
  let latest = null;
  const explain = async (/** @type {Event} */ event) => {
    const { target } = event;
    if (!(target instanceof Element && target.closest('[data-term], [data-hint]'))) return;
    const waits = latest !== null;
    latest = event;
    if (waits) return;
    const view = await import('./view/glossary.js').catch(() => null);
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
  const show = async () => (await part(() => import('./view/keys.js')))?.showKeys();
  const find = async () => (await part(() => import('./view/palette.js')))?.showPalette();
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
