/**
 * Starts the page: loads the core, makes the parts of the page known to each other, and opens what
 * the address says.
 */
import init, * as core from '../pkg/backfill_web.js';
import { Answer } from './answer.ts';
import { compose } from './compose.ts';
import { loadCore } from './core.ts';
import { createDocuments } from './documents.ts';
import { byId } from './dom.ts';
import { estimates as createEstimates } from './estimate.ts';
import { createLinks } from './link.ts';
import { part } from './part.ts';
import { asked, entries, moving, reading, section, trace, work } from './state.ts';
import { coreTexts } from './texts/core.ts';
import { createTraces } from './trace.ts';
import { say } from './view/banners.ts';
import { layout } from './view/layout.ts';
import { themeButton } from './view/theme.ts';
import { createWorkbench } from './workbench.ts';
import { Pool, poolSize } from './worker/pool.ts';
import { breath } from './worker/protocol.ts';
import { WorkerClient } from './worker/worker-client.ts';

themeButton();
layout();

/** The digest of the answer that the page was built with. */
const built = byId('digest').textContent?.trim() ?? '';

try {
  await start();
} catch (error) {
  byId('act').hidden = true;
  say('core', {
    title: coreTexts.missing,
    details: coreTexts.missingDetails,
    verbatim: String(error),
    loud: true,
  });
}

async function start() {
  const wasRunAsked = askEarly();
  const build = await loadCore((bytes) => {
    byId('status').textContent = coreTexts.loading(bytes);
  });
  const pool = new Pool(build, poolSize());
  const replayWorker = new WorkerClient(build);
  await init({ module_or_path: build.module });
  core.on_panic((words: string) => {
    say('broken', {
      title: coreTexts.broken,
      details: coreTexts.brokenDetails,
      verbatim: words,
      loud: true,
    });
  });
  await breath();
  const tables = core.tables();

  const answer = new Answer(core, tables.version);
  const estimates = createEstimates(pool, answer);
  const workbench = createWorkbench({
    core,
    pool,
    answer,
    estimates,
    built,
    page: {
      showAddress: () => links.showAddress(),
      showRun: (now, trace, wanted) => replay.open(now, trace, wanted),
      hideRun: () => replay.close(),
      keepRun: () => documents.keepRun(),
      saveStudy: (now, engine, jobs) => void documents.saveStudy(now, engine, jobs),
    },
  });
  const { runByItself } = workbench;
  const traces = createTraces({
    core,
    tables,
    replayWorker,
    came: workbench.traceCame,
    keptTrace: (sha256) => documents.keptTrace(sha256),
    run: workbench.runInstead,
  });
  const { take: takeTrace, want: wantTrace } = traces;
  const documents = createDocuments({
    build,
    tables,
    answer,
    workbench,
    takeTrace,
    wantTrace,
    viewed: () => links.viewed(''),
    look: (view) => links.look(view),
  });
  const { saveScenario } = documents;
  const links = createLinks({ core, answer, runByItself, wantTrace, saveScenario });

  entries.watch((now) => {
    const read = core.read_scenario(Object.entries(now));
    reading.set({ ...read, values: Object.fromEntries(read.values) });
  });
  reading.watch((now) => {
    if (now === null || now.problems.length > 0) return;
    if (asked.promised !== null && asked.promised.text !== now.text) asked.promised = null;
    traces.recall(now);
    workbench.evaluateAgain();
    workbench.recall();
    if (answer.text !== null) answer.showVerdict(now.text);
    void workbench.follow();
    if (asked.read && !moving.get()) links.showAddress();
    traces.readAgain(now);
  });
  moving.watch((now) => {
    if (!now && asked.read) workbench.rest();
  });

  section.watch(() => {
    if (asked.read) links.showAddress();
  });

  const showLog: (now: ReturnType<typeof trace.get>) => Promise<void> = async (now) => {
    if (now === null) return;
    trace.ignore(showLog);
    const view = await part(() => import('./view/on-demand.ts'));
    view?.logView({
      ask: traces.ask,
      answered: traces.answered,
      about: () =>
        answer.text === null || answer.source === null
          ? null
          : replayWorker.ask('about', { scenario: answer.text, trace: answer.source }),
    });
  };
  trace.watch(showLog);

  const replay = await compose({
    build,
    core,
    tables,
    answer,
    estimates,
    workbench,
    documents,
    links,
    replayWorker,
  });

  if (new URLSearchParams(location.search).get('fault') === 'panic') pool.panicOnce();
  // By now a run may have ended and written its own link into the address.
  addEventListener('hashchange', ({ newURL }) => links.open(new URL(newURL).hash));
  await breath();
  links.open();
  if (wasRunAsked() && work.get().phase === 'idle') void workbench.run();
  void documents.takeNamed();
}

/**
 * Lets visitors press Run while the core is on its way.
 * @returns whether somebody did
 */
function askEarly(): () => boolean {
  const run = byId('run') as HTMLButtonElement;
  let pressed = false;
  run.onclick = () => {
    pressed = true;
    run.disabled = true;
  };
  byId('act').hidden = false;
  return () => pressed;
}
