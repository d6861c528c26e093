/** Builds the views of the page and connects them with what they show and do. */
import { byId } from './dom.js';
import { onDrop, onPaste } from './files.js';
import { part } from './part.js';
import { dark, enterAll, entries, estimate, facet, hidden, summary, traceFor } from './state.js';
import { texts } from './texts.js';
import { charts } from './view/charts.js';
import { facetChoice } from './view/facet.js';
import { form } from './view/form.js';
import { legend } from './view/legend.js';
import { replayView } from './view/replay.js';
import { answerWords, runControls } from './view/run.js';
import { table } from './view/table.js';
import { traceField } from './view/trace.js';
import { warn } from './warning.js';
import { breath } from './worker/protocol.js';

/**
 * Builds the page part by part, so that none of its tasks is long.
 * @param {object} given
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
  if (matchMedia('(max-width: 860px)').matches)
    /** @type {HTMLDetailsElement} */ (byId('scenario')).open = false;
  await breath();
  form(tables, {
    newSeed: core.new_seed,
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
      return (await documents.startedExportWorker()).ask('warning', {
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
  /** @type {import('./view/charts.js').Draw} */
  const drawChart = (canvas, metric, hidden, isDark, width, height, last, seen) => {
    const look = new core.Look(hidden, isDark, width, height, last);
    try {
      look.see(seen);
      return answer.board === null ? null : answer.board.draw(canvas, metric, facet.get(), look);
    } finally {
      look.free();
    }
  };
  charts(styles, drawChart, (policy, x) => replay.look(policy, x, facet.get()));
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
        const look = new core.Look(Uint32Array.from(hidden.get()), dark.get(), width, 0, true);
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
  workbench.whenAnswered(async () => {
    const view = await part(() => import('./view/compare.js'));
    const reference = tables.keys.find(({ kind }) => kind === 'reference')?.name ?? '';
    view?.compareView(styles, {
      compared: () => answer.board?.compared() ?? '',
      compare: (metric) => answer.board?.compare(metric, facet.get()) ?? null,
      draw: (canvas, metric, width, height) => {
        const look = new core.Look(Uint32Array.from(hidden.get()), dark.get(), width, height, true);
        try {
          return answer.board === null
            ? null
            : answer.board.draw_differences(canvas, metric, facet.get(), look);
        } finally {
          look.free();
        }
      },
      refer: (policy) => entries.set({ ...entries.get(), [reference]: policy }),
      settle: (key, value) => {
        entries.set({ ...entries.get(), [key]: value });
        workbench.runInstead();
      },
      replicate: (metric, percent) => void workbench.replicate(metric, percent),
    });
  });
  const replay = replayView(replayWorker, core, documents.startedExportWorker);
  workbench.whenAnswered(async () => {
    const view = await part(() => import('./view/fairness.js'));
    view?.fairnessView(styles, {
      runs: (x) => answer.cellsAt(x),
      look: (policy, x) => replay.look(policy, x, facet.get()),
    });
  });
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
        const exportWorker = await documents.startedExportWorker();
        return exportWorker.ask('log', { scenario: answer.text ?? '', trace: answer.source, cell });
      },
      trace: () => (answer.source === null ? null : answer.traceName),
    });
    exportButton.onclick = open;
    open();
  };
  workbench.whenAnswered(async () => {
    await documents.remembering();
  });
  onDrop((file) => void documents.takeFile(file));
  onPaste(
    (file) => void documents.takeFile(file),
    (hash) => {
      location.hash = hash;
    },
  );
  exampleChoice(tables.examples, workbench.runInstead);
  byId('open').onclick = () => byId('file').click();
  byId('version').textContent = texts.core.version(tables.version);
  byId('tools').hidden = false;
  byId('act').hidden = false;

  keepWhenUsed();
  keySheet();
  return replay;
}

/**
 * @param {import('./state.js').Tables['examples']} examples
 * @param {() => void} run runs the one that is chosen
 */
function exampleChoice(examples, run) {
  const select = /** @type {HTMLSelectElement} */ (byId('example'));
  select.append(
    new Option(texts.example.choose, ''),
    ...examples.map(({ label }, place) => new Option(label, String(place))),
  );
  select.onchange = () => {
    const example = examples[Number(select.value)];
    select.value = '';
    if (example === undefined) return;
    enterAll(example.pairs);
    run();
  };
}

/**
 * Has the page kept for when there is no network, as soon as somebody uses it or has done so
 * before.
 */
function keepWhenUsed() {
  let asked = false;
  const keep = async () => {
    if (asked) return;
    asked = true;
    // It cannot be fetched where the page is being left; the next one asks again.
    await import('./offline.js').then(
      (offline) => offline.keep(),
      () => {},
    );
  };
  if (navigator.serviceWorker?.controller) void keep();
  for (const use of ['pointerdown', 'keydown'])
    addEventListener(use, () => void keep(), { once: true });
}

/** Shows the keys when asked by button or key. */
function keySheet() {
  const show = async () => (await part(() => import('./view/keys.js')))?.showKeys();
  byId('keys').onclick = () => void show();
  document.addEventListener('keydown', (event) => {
    if (
      event.key.toLowerCase() !== 'k' ||
      !(event.ctrlKey || event.metaKey) ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    void part(() => import('./view/palette.js')).then((view) => view?.showPalette());
  });
  document.addEventListener('keydown', (event) => {
    const typing =
      event.target instanceof HTMLInputElement ||
      event.target instanceof HTMLTextAreaElement ||
      event.target instanceof HTMLSelectElement;
    if (event.key === '?' && !typing) void show();
  });
}
