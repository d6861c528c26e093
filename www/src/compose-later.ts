/** The views that come after the first answer, or when there is first something to show in them. */
import { drawnByBoard } from './drawn.ts';
import { once } from './once.ts';
import { part } from './part.ts';
import { dark, entries, facet, hidden, reading, summary, trace, traceFor } from './state.ts';
import { WorkerClient } from './worker/worker-client.ts';
import type { PageParts } from './compose.ts';
import type { Replay } from './view/replay.tsx';

export function composeLater(parts: PageParts, replay: Replay) {
  once(
    trace,
    (now) => now !== null,
    () => void composeLog(parts),
  );
  const byDay = (x: number) => parts.answer.board?.by_day(x, facet.peek()) ?? null;
  once(
    summary,
    (now) => now !== null && byDay(now.x.values.length - 1) !== null,
    () => void composeByDay(parts, replay),
  );
  once(
    summary,
    (now) => now !== null && now.y.label !== '',
    () => void composeSurface(parts),
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
    byDay: (x) => answer.board?.by_day(x, facet.peek()) ?? null,
    draw: (x) =>
      drawnByBoard(core, answer, (board, canvas, what, y, look) =>
        board.draw_by_day(canvas, what, x, y, look),
      ),
    look: (policy, x) => replay.look(policy, x, facet.peek()),
    use: async (from, until) => {
      const now = reading.peek();
      const trace = now === null ? null : traceFor(now);
      if (now === null || trace === null) return false;
      const asked = { scenario: now.text, trace, from, until };
      const found = await replayWorker.ask('submitted', asked);
      if (found === null) return false;
      const { first: _, ...others } = entries.peek();
      entries.value = { ...others, slice: found.join('-') };
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
      const look = new core.Look(Uint32Array.from(hidden.peek()), dark.peek(), width, 0);
      try {
        return answer.board === null
          ? null
          : answer.board.draw_surface(canvas, metric, facet.peek(), look);
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
    compare: (metric) => answer.board?.compare(metric, facet.peek()) ?? null,
    draw: drawnByBoard(core, answer, (board, ...asked) => board.draw_differences(...asked)),
    look: (policy, x) => replay.look(policy, x, facet.peek()),
    refer: (policy) => {
      entries.value = { ...entries.peek(), [reference]: policy };
    },
    settle: (key, value) => {
      entries.value = { ...entries.peek(), [key]: value };
      workbench.runInstead();
    },
    replicate: async (metric, percent) => {
      const view = await part(() => import('./view/on-demand.ts'));
      await view?.replicate(answer, (kept) => workbench.run(kept), metric, percent);
    },
  });
}

function composeFairness(
  { fairnessView }: AfterAnswer,
  { core, tables, answer, build }: PageParts,
  replay: Replay,
) {
  fairnessView({
    core,
    styles: tables.styles,
    runs: (x) => answer.cellsAt(x),
    startWorker: () => new WorkerClient(build),
    look: (policy, x) => replay.look(policy, x, facet.peek()),
  });
}
