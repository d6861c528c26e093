/** Charts of the answer, which the core draws. */
import { facet } from './state.ts';
import type { Board, Geometry, Look } from '../pkg/backfill_web.js';
import type { Answer } from './answer.ts';
import type { Core } from './core.ts';
import type { Draw } from './view/chart.ts';

type Paint = (
  board: Board,
  canvas: HTMLCanvasElement,
  metric: string,
  y: number,
  look: Look,
) => Geometry | null;

/** Paper has no last answer, and nothing moves where that is not wanted. */
const paper = matchMedia('print');
const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** Draws something of the answer as a chart. */
export function drawnByBoard(core: Core, answer: Answer, paint: Paint): Draw {
  return (canvas, metric, hidden, isDark, width, height, seen) => {
    const look = new core.Look(hidden, isDark, width, height);
    try {
      look.see(seen, paper.matches ? undefined : calm.matches ? Infinity : performance.now());
      return answer.board === null ? null : paint(answer.board, canvas, metric, facet.peek(), look);
    } finally {
      look.free();
    }
  };
}
