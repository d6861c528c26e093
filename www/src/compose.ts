/** Builds the views of the page and connects them with state and actions. */
import { explainWhenAsked, keySheet, whenUsed } from './at-hand.ts';
import { composeLater } from './compose-later.ts';
import { byId } from './dom.ts';
import { drawnByBoard } from './drawn.ts';
import { onDrop, onPaste } from './files.ts';
import { onDemand } from './part.ts';
import { copying, enterAll, estimate, facet, traceFor } from './state.ts';
import { coreTexts } from './texts/core.ts';
import { exampleTexts } from './texts/example.ts';
import { unsay } from './view/banners.tsx';
import { charts } from './view/charts.ts';
import { facetChoice } from './view/facet.tsx';
import { form } from './view/form.tsx';
import { landing } from './view/landing.ts';
import { isNarrow, scenarioLine } from './view/layout.ts';
import { legend } from './view/legend.tsx';
import { Replay } from './view/replay.tsx';
import { answerWords, runControls } from './view/run.tsx';
import { table } from './view/table.tsx';
import { tabs } from './view/tabs.ts';
import { followFileChoice } from './view/trace.tsx';
import { warn } from './warning.ts';
import { breath } from './worker/protocol.ts';
import type { Answer } from './answer.ts';
import type { Core } from './core.ts';
import type { Documents } from './documents.ts';
import type { Estimates } from './estimate.ts';
import type { ExportWorker } from './export-worker.ts';
import type { Links } from './link.ts';
import type { OnDemand } from './part.ts';
import type { Tables } from './state.ts';
import type { Traces } from './trace.ts';
import type { composer } from './view/composer.tsx';
import type { Workbench } from './workbench.ts';
import type { Build } from './worker/messages.ts';
import type { Pool } from './worker/pool.ts';
import type { WorkerClient } from './worker/worker-client.ts';

/** The start of the value of a lesson in the choice of examples. */
const LESSON = 'lesson ';

/** The parts of the page. */
export interface PageParts {
  /** The core, for further workers. */
  build: Build;
  /** Fetches the rest of the core, for whoever begins to use the page. */
  bringRest: () => Promise<void>;
  core: Core;
  tables: Tables;
  answer: Answer;
  estimates: Estimates;
  workbench: Workbench;
  documents: Documents;
  links: Links;
  traces: Traces;
  exportWorker: ExportWorker;
  replayWorker: WorkerClient;
  pool: Pool;
}

/**
 * Builds the page part by part, so that none of its tasks is long.
 * @returns the view of one run
 */
export async function compose(parts: PageParts): Promise<Replay> {
  const { core, tables, answer, documents, replayWorker, exportWorker, bringRest } = parts;
  if (isNarrow()) byId('scenario', HTMLDetailsElement).open = false;
  scenarioLine(tables);
  await breath();
  const makeOwn = composerOf(parts);
  await composeForm(parts, makeOwn);
  await breath();
  composeRun(parts);
  answerWords();
  legend(tables.styles);
  facetChoice();
  table();
  const draw = drawnByBoard(core, answer, (board, ...asked) => board.draw(...asked));
  charts(tables.styles, draw, (policy, x) => replay.look(policy, x, facet.peek()));
  await breath();
  const startedExportWorker = exportWorker.started;
  const replay = new Replay({ replayWorker, core, startedExportWorker });
  composeLater(parts, replay);
  tabs(() => void replay.deepen());
  composeDialogs(parts);
  onDrop((files) => void documents.takeFiles(files));
  onPaste(
    (files) => void documents.takeFiles(files),
    (hash) => {
      location.hash = hash;
    },
  );
  exampleChoice(parts, () => void makeOwn(0, true));
  const chooseFile = () => byId('file').click();
  byId('open').onclick = chooseFile;
  landing(chooseFile);
  byId('version').textContent = coreTexts.version(tables.version);
  byId('tools').hidden = false;

  whenUsed(bringRest);
  explainWhenAsked(core.glossary);
  keySheet(core.glossary);
  return replay;
}

/**
 * @returns turns a policy, by its position, into one that the user composes, with its order left to
 * fill in if that is a task
 */
function composerOf({ workbench, tables, replayWorker, exportWorker }: PageParts) {
  /** Opens the composer, once it is fetched. */
  let open: ReturnType<typeof composer> | null = null;
  return async (place: number, isTask: boolean = false) => {
    const view = await onDemand();
    if (view === null) return;
    open ??= view.composer({
      startedExportWorker: exportWorker.started,
      replayWorker,
      keys: tables.keys,
      run: () => workbench.runInstead(),
    });
    await open(place, isTask);
  };
}

async function composeForm(parts: PageParts, makeOwn: (place: number) => Promise<void>) {
  const { core, tables, workbench, documents } = parts;
  await form(tables, {
    newSeed: core.new_seed,
    lookAhead: (all) => void workbench.follower.lookAhead(all),
    makeOwn: (place) => void makeOwn(place),
    examine: () => void documents.examine(),
  });
  followFileChoice((file) => void documents.takeFile(file));
  const asText = byId('as-text-box');
  asText.ontoggle = async () => {
    const view = await onDemand();
    if (view === null) return;
    asText.ontoggle = null;
    view.scenarioText(parts);
  };
  asText.hidden = false;
}

/** Run and its progress, and what is known of a scenario before it runs. */
function composeRun({ workbench, exportWorker, replayWorker }: PageParts) {
  runControls(
    () => void workbench.run(),
    () => workbench.cancel(),
    () => workbench.pauseOrResume(),
  );
  warn(async (now) => {
    const scenario = now.text;
    if (now.trace === null) return exportWorker.started().ask('warning', { scenario, trace: null });
    const trace = traceFor(now);
    return trace === null ? null : replayWorker.ask('warning', { scenario, trace });
  });
  estimate.subscribe(() => void workbench.follower.answerAtOnce());
}

/** Share, Export and Copy as, which are fetched when they are first opened. */
function composeDialogs(parts: PageParts) {
  const dialogOf = (id: string, compose: (view: OnDemand) => () => void) => {
    const button = byId(id);
    button.onclick = async () => {
      const view = await onDemand();
      if (view === null) return;
      const open = compose(view);
      button.onclick = open;
      open();
    };
  };
  dialogOf('share', (view) => view.composeShare(parts));
  dialogOf('export', (view) => view.composeExport(parts));
  copying.subscribe(async (now) => {
    if (now !== null) (await onDemand())?.composeCopyAs(parts, now);
  });
}

/** @param compose lets the user add a policy to an example */
function exampleChoice({ core, tables, workbench, links }: PageParts, compose: () => void) {
  const { examples, lessons } = tables;
  const select = byId('example', HTMLSelectElement);
  const ofLessons = document.createElement('optgroup');
  ofLessons.label = exampleTexts.lessons;
  ofLessons.append(...lessons.map(({ label }, place) => new Option(label, `${LESSON}${place}`)));
  select.append(
    new Option(exampleTexts.choose, ''),
    ...examples.map(({ label }, place) => new Option(label, String(place))),
    ofLessons,
  );
  let chosen = '';
  select.onchange = () => {
    const { value } = select;
    chosen = value;
    select.value = '';
    if (value.startsWith(LESSON)) {
      const { pairs, view } = lessons[Number(value.slice(LESSON.length))];
      location.hash = core.write_link(core.read_scenario(pairs).text, '', view);
      return;
    }
    const example = examples[Number(value)];
    if (example === undefined) return;
    unsay('task');
    links.note('');
    if (example.own)
      void onDemand().then((view) => {
        if (chosen === value) view?.sayTask(example.label, compose);
      });
    enterAll(example.pairs);
    workbench.runInstead();
  };
}
