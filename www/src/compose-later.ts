/** The views that come after the first answer, or when there is first something to show in them. */
import { drawnByBoard } from './drawn.ts';
import { part } from './part.ts';
import { dark, entries, facet, hidden, reading, summary, trace, traceFor } from './state.ts';
import { WorkerClient } from './worker/worker-client.ts';
import type { Atom } from './atom.ts';
import type { PageParts } from './compose.ts';
import type { Replay } from './view/replay.tsx';

export function composeLater(parts: PageParts, replay: Replay) {
  once(
    trace,
    (now) => now !== null,
    () => composeLog(parts),
  );
  const byDay = (x: number) => parts.answer.board?.by_day(x, facet.get()) ?? null;
  once(
    summary,
    (now) => now !== null && byDay(now.x.values.length - 1) !== null,
    () => composeByDay(parts, replay),
  );
  once(
    summary,
    (now) => now !== null && now.y.label !== '',
    () => composeSurface(parts),
  );
  parts.workbench.whenAnswered(async () => {
    // Both at once, so that the lower one does not come first and then move.
    const view = await part(() => import('./view/after-answer.ts'));
    if (view === null) return;
    composeCompare(view, parts, replay);
    composeFairness(view, parts, replay);
  });
  parts.workbench.whenAnswered(async () => {
    await parts.documents.remembering();
  });
  parts.workbench.whenAnswered(async () => {
    const view = await part(() => import('./view/after-answer.ts'));
    view?.printedScenario(parts.tables);
  });
}

/** Does something as soon as a value is such, once. */
function once<T>(atom: Atom<T>, isSo: (now: T) => boolean, act: () => Promise<void>) {
  const watcher = (now: T) => {
    if (!isSo(now)) return;
    atom.ignore(watcher);
    void act();
  };
  atom.watch(watcher);
}

/** The questions about a log. */
async function composeLog({ traces, answer, replayWorker }: PageParts) {
  const view = await part(() => import('./view/on-demand.ts'));
  view?.logView({
    ask: (question) => void traces.ask(question),
    answered: (scenario) => traces.answered(scenario),
    about: () =>
      answer.text === null || answer.source === null
        ? null
        : replayWorker.ask('about', { scenario: answer.text, trace: answer.source }),
  });
}

/** The charts by day, of an answer that is measured by day. */
async function composeByDay(
  { core, tables, answer, workbench, replayWorker }: PageParts,
  replay: Replay,
) {
  const view = await part(() => import('./view/on-demand.ts'));
  view?.byDayView(tables.styles, {
    byDay: (x) => answer.board?.by_day(x, facet.get()) ?? null,
    draw: (x) =>
      drawnByBoard(core, answer, (board, canvas, what, y, look) =>
        board.draw_by_day(canvas, what, x, y, look),
      ),
    look: (policy, x) => replay.look(policy, x, facet.get()),
    use: async (from, until) => {
      const now = reading.get();
      const trace = now === null ? null : traceFor(now);
      if (now === null || trace === null) return false;
      const asked = { scenario: now.text, trace, from, until };
      const found = await replayWorker.ask('submitted', asked);
      if (found === null) return false;
      const { first: _, ...others } = entries.get();
      entries.set({ ...others, slice: found.join('-') });
      workbench.runInstead();
      return true;
    },
  });
}

/** The heatmaps of an answer over two keys. */
async function composeSurface({ core, answer }: PageParts) {
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
}

type AfterAnswer = typeof import('./view/after-answer.ts');

function composeCompare(
  { compareView }: AfterAnswer,
  { core, tables, answer, workbench }: PageParts,
  replay: Replay,
) {
  const reference = tables.keys.find(({ kind }) => kind === 'reference')?.name ?? '';
  compareView(tables.styles, {
    compared: () => answer.board?.compared() ?? '',
    compare: (metric) => answer.board?.compare(metric, facet.get()) ?? null,
    draw: drawnByBoard(core, answer, (board, ...asked) => board.draw_differences(...asked)),
    look: (policy, x) => replay.look(policy, x, facet.get()),
    refer: (policy) => entries.set({ ...entries.get(), [reference]: policy }),
    settle: (key, value) => {
      entries.set({ ...entries.get(), [key]: value });
      workbench.runInstead();
    },
    replicate: (metric, percent) => void workbench.replicate(metric, percent),
  });
}

function composeFairness(
  { fairnessView }: AfterAnswer,
  { core, tables, answer, build }: PageParts,
  replay: Replay,
) {
  fairnessView(core, tables.styles, {
    runs: (x) => answer.cellsAt(x),
    startWorker: () => new WorkerClient(build),
    look: (policy, x) => replay.look(policy, x, facet.get()),
  });
}
