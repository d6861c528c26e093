/** The views that come after the first answer, or when there is first something to show in them. */
import { computed } from '@preact/signals';
import { byId } from './dom.ts';
import { drawnByBoard } from './drawn.ts';
import { once } from './once.ts';
import { onDemand, part } from './part.ts';
import { digest, entries, facet, kept, section, summary, trace } from './state.ts';
import { WorkerClient } from './worker/worker-client.ts';
import type { PageParts } from './compose.ts';
import type { Replay } from './view/replay.tsx';

export function composeLater(parts: PageParts, replay: Replay) {
  once(
    trace,
    (now) => now !== null,
    () => void onDemand().then((view) => view?.composeLog(parts)),
  );
  const byDay = (x: number) => parts.answer.board?.by_day(x, facet.peek()) ?? null;
  once(
    summary,
    (now) => now !== null && byDay(now.x.values.length - 1) !== null,
    () => void onDemand().then((view) => view?.composeByDay(parts, replay)),
  );
  once(
    summary,
    (now) => now !== null && now.y.label !== '',
    () => void onDemand().then((view) => view?.composeSurface(parts)),
  );
  // The built answer, of a scenario without a line, is no figure.
  once(
    digest,
    (now) => now !== '' && parts.answer.text !== '',
    () => void part(() => import('./view/claims.tsx')).then((view) => view?.claimsView(parts)),
  );
  // What is above it is there by then, and does not move it.
  const isWanted = computed(() => kept.value !== null || section.value === 'when');
  once(isWanted, Boolean, () => composeWhen(parts));
  parts.workbench.whenAnswered(async () => {
    // Both at once, so that the lower one does not come first and then move.
    const view = await part(() => import('./view/after-answer.ts'));
    if (view === null) return;
    composeCompare(view, parts, replay);
    composeFairness(view, parts, replay);
    view.printedScenario(parts.tables);
  });
  parts.workbench.whenAnswered(() => parts.documents.remembering());
}

/** Forecasts, which are fetched as they come into view. */
function composeWhen(parts: PageParts) {
  const box = byId('when');
  box.hidden = false;
  const near = new IntersectionObserver((seen) => {
    if (!seen.at(-1)?.isIntersecting) return;
    near.disconnect();
    void onDemand().then((view) => view?.whenView(parts));
  });
  near.observe(box);
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
      const view = await onDemand();
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
