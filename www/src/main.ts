/**
 * Starts the page: loads the core, makes the parts of the page known to each other, and opens what
 * the address says.
 */
import init, * as core from './joined.ts';
import { Answer } from './answer.ts';
import { compose } from './compose.ts';
import { loadCore, loadRest } from './core.ts';
import { Documents } from './documents.ts';
import { byId, inNextFrame } from './dom.ts';
import { Estimates } from './estimate.ts';
import { ExportWorker } from './export-worker.ts';
import { Links } from './link.ts';
import { onDemand, part } from './part.ts';
import { asked, digest, entries, moving, reading, section, stepped, work } from './state.ts';
import { coreTexts } from './texts/core.ts';
import { Traces } from './trace.ts';
import { say } from './view/banners.tsx';
import { layout } from './view/layout.ts';
import { themeButton } from './view/theme.ts';
import { Workbench } from './workbench.ts';
import { Pool, poolSize } from './worker/pool.ts';
import { breath } from './worker/protocol.ts';
import { WorkerClient } from './worker/worker-client.ts';
import type { PageParts } from './compose.ts';
import type { Replay } from './view/replay.tsx';

themeButton();
layout();
if (byId('motion').getClientRects().length > 0)
  void part(() => import('./view/motion.tsx')).then((view) => view?.motion());

/** Somebody who steps through passes rests after so many milliseconds: browsers limit addresses. */
const REST = 300;

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
  const loaded = loadCore((bytes) => {
    byId('status').textContent = coreTexts.loading(bytes);
  });
  // Where it cannot be fetched, what needs it says so.
  const restOrNull = () => loadRest().catch(() => null);
  const [build, rest] = await Promise.all([loaded, isFirstVisit() ? null : restOrNull()]);
  build.rest = rest;
  const pool = new Pool(build, poolSize());
  const replayWorker = new WorkerClient(build);
  pool.keeper = replayWorker;
  const first = await init({ module_or_path: build.module });
  const join = core.joinRest(first, (why) =>
    say('broken', { title: coreTexts.noPart, details: coreTexts.noRestDetails(why), loud: true }),
  );
  if (rest !== null) join(rest);
  let isComing = false;
  const bringRest = async () => {
    if (build.rest !== null || isComing) return;
    isComing = true;
    build.rest = await restOrNull();
    isComing = false;
    if (build.rest !== null) join(build.rest);
  };
  core.on_panic((words: string) => {
    say('broken', {
      title: coreTexts.broken,
      details: coreTexts.brokenDetails,
      verbatim: words,
      loud: true,
    });
  });
  await breath();
  const view: { replay: Replay | null } = { replay: null };
  const parts = connect(pool, view, { build, bringRest, replayWorker });
  const { workbench, documents, links } = parts;
  await breath();
  followForm(parts);
  view.replay = await compose(parts);

  if (new URLSearchParams(location.search).get('fault') === 'panic') pool.panicOnce();
  // By now a run may have ended and written its own link into the address.
  addEventListener('hashchange', ({ newURL }) => links.open(new URL(newURL).hash));
  await breath();
  links.open();
  // Before, it would try the opening scenario, which may not be asked for.
  parts.estimates.watch();
  if (wasRunAsked() && work.peek().phase === 'idle') void workbench.run();
  void documents.takeNamed();
  if (parent !== window || opener !== null)
    void onDemand().then((view) => view?.answerMessages(parts));
}

/**
 * Makes the parts of the page, which know each other.
 * @param view the view of one run, once it is drawn
 */
function connect(
  pool: Pool,
  view: { replay: Replay | null },
  { build, bringRest, replayWorker }: Pick<PageParts, 'build' | 'bringRest' | 'replayWorker'>,
): PageParts {
  const tables = core.tables();
  const answer = new Answer(core, tables.version);
  const estimates = new Estimates(pool, answer);
  const exportWorker = new ExportWorker(build, answer);
  const workbench = new Workbench({
    core,
    pool,
    answer,
    estimates,
    built,
    page: {
      showAddress: (isRun) => links.showAddress(isRun),
      showRun: (now, trace, wanted) => view.replay?.open(now, trace, wanted),
      hideRun: () => view.replay?.close(),
      keepRun: () => documents.keepRun(),
      sayTooBig: (now) => void onDemand().then((view) => view?.sayTooBig(now, exportWorker)),
    },
  });
  const traces = new Traces({
    core,
    tables,
    replayWorker,
    hold: (source) => pool.hold(source),
    came: () => workbench.traceCame(),
    keptTrace: (sha256) => documents.keptTrace(sha256),
    run: () => {
      const isAnswered = reading.peek()?.text === answer.text && digest.peek() !== '';
      if (!isAnswered) workbench.runInstead();
    },
  });
  const documents = new Documents({
    exportWorker,
    tables,
    answer,
    workbench,
    traces,
    viewed: () => links.viewed(),
    look: (view) => links.look(view),
  });
  const links = new Links({
    core,
    answer,
    traces,
    runByItself: () => workbench.runByItself(),
    saveScenario: () => exportWorker.saveScenario(),
  });
  return {
    build,
    bringRest,
    core,
    tables,
    answer,
    estimates,
    workbench,
    documents,
    links,
    traces,
    exportWorker,
    replayWorker,
    pool,
  };
}

/** Has the core check what is entered, and the page follow it. */
function followForm({ answer, workbench, links, traces }: PageParts) {
  const { follower } = workbench;
  // In the next frame: a browser takes as long to write an address as to lay out the form.
  const showAddressSoon = inNextFrame(() => {
    if (asked.read && !moving.peek()) links.showAddress();
  });
  entries.subscribe((now) => {
    const read = core.read_scenario(Object.entries(now));
    reading.value = { ...read, values: Object.fromEntries(read.values) };
  });
  reading.subscribe((now) => {
    if (now === null || now.problems.length > 0) return;
    if (asked.promised !== null && asked.promised.text !== now.text) asked.promised = null;
    traces.recall(now);
    workbench.evaluateAgain();
    workbench.recall();
    if (answer.text !== null) answer.showVerdict(now.text);
    void follower.follow();
    showAddressSoon();
    traces.readAgain(now);
  });
  moving.subscribe((now) => {
    if (!now && asked.read) follower.rest();
  });
  section.subscribe(() => {
    if (asked.read) links.showAddress();
  });
  let rest = 0;
  stepped.subscribe(() => {
    clearTimeout(rest);
    rest = setTimeout(() => {
      if (asked.read) links.showAddress();
    }, REST);
  });
}

/** Whether all that is known of the visit is that the page opened as it was built. */
function isFirstVisit() {
  const isAlone = parent === window && opener === null && !navigator.serviceWorker?.controller;
  return isAlone && location.search + location.hash === '';
}

/**
 * Lets visitors press Run while the core is on its way.
 * @returns whether somebody did
 */
function askEarly(): () => boolean {
  const run = byId('run', HTMLButtonElement);
  let pressed = false;
  run.onclick = () => {
    pressed = true;
    run.disabled = true;
  };
  byId('act').hidden = false;
  return () => pressed;
}
