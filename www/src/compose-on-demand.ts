/** Connects the views that are fetched on demand with state and actions. */
import { drawnByBoard } from './drawn.ts';
import { dark, entries, facet, hidden, reading, traceFor } from './state.ts';
import { taskTexts } from './texts/task.ts';
import { say } from './view/banners.tsx';
import { byDayView } from './view/by-day.tsx';
import { copyAs } from './view/copy-as.tsx';
import { exportDialog } from './view/export.tsx';
import { logView } from './view/log.tsx';
import { shareDialog } from './view/share.tsx';
import { surfaceView } from './view/surface.tsx';
import type { PageParts } from './compose.ts';
import type { Exporting } from './exports.ts';
import type { Copying } from './state.ts';
import type { Replay } from './view/replay.tsx';

/** What an example that is a task asks for; `compose` lets the user add a policy to it. */
export function sayTask(title: string, compose: () => void) {
  say('task', {
    title,
    details: taskTexts.details,
    actions: [{ words: taskTexts.write, act: compose }],
  });
}

/** The questions about a log. */
export function composeLog({ traces, answer, replayWorker }: PageParts) {
  logView({
    ask: (question) => void traces.ask(question),
    answered: (scenario) => traces.answered(scenario),
    about: () => {
      const { text: scenario, source: trace } = answer;
      if (scenario === null || trace === null) return null;
      return traces.insist(() => replayWorker.ask('about', { scenario, trace }));
    },
  });
}

/** The charts by day, of an answer that is measured by day. */
export function composeByDay(
  { core, tables, answer, workbench, traces, replayWorker }: PageParts,
  replay: Replay,
) {
  byDayView(tables.styles, {
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
      const found = await traces.insist(() => replayWorker.ask('submitted', asked));
      if (found === null) return false;
      const { first: _, ...others } = entries.peek();
      entries.value = { ...others, slice: found.join('-') };
      workbench.runInstead();
      return true;
    },
  });
}

/** The heatmaps of an answer over two keys. */
export function composeSurface({ core, answer }: PageParts) {
  surfaceView({
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

/** @returns opens the dialog of Share */
export function composeShare({ links, exportWorker }: PageParts) {
  const shared = (hide: string, note: string) => links.shared(hide, note);
  return shareDialog(shared, () => void exportWorker.saveScenario());
}

/** @returns opens the dialog of Export */
export function composeExport(parts: PageParts) {
  return exportDialog(exporting(parts));
}

/** The menu of a chart that copies it. */
export function composeCopyAs(parts: PageParts, asked: Copying) {
  copyAs(parts, exporting(parts), asked);
}

function exporting({ core, answer, exportWorker }: PageParts): Exporting {
  return {
    write: exportWorker.write,
    paint(canvas, metric, width, height, ratio) {
      const look = core.Look.picture(width, height, ratio);
      answer.board?.draw(canvas, metric, facet.peek(), look);
      look.free();
    },
    log: (cell) =>
      exportWorker
        .started()
        .ask('log', { scenario: answer.text ?? '', trace: answer.source, cell }),
    trace: () => (answer.source === null ? null : answer.traceName),
  };
}
