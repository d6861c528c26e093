/** Charts of the answer, which the core draws. */
import { facet } from './state.ts';
import type { Board, Geometry, Look, Seen } from '../pkg/backfill_web.js';
import type { Answer } from './answer.ts';
import type { Core } from './core.ts';

/** Draws the part that is seen of a chart; null where there is nothing to draw. */
export type Draw = (
  canvas: HTMLCanvasElement,
  metric: string,
  hidden: Uint32Array,
  dark: boolean,
  width: number,
  height: number,
  seen: Seen,
) => Geometry | null;

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
