/**
 * Sliders beside the numbers of some keys: the answer follows them. A swept key has none, since its
 * values are those of the axis.
 */
import { make } from '../dom.ts';
import { entries, moving, summary } from '../state.ts';
import type { Key } from '../../pkg/backfill_web.js';
import type { Entries, Reading } from '../state.ts';

/** The ends and steps of sliders; other values are typed. */
const RANGES = {
  k: { min: 4, max: 16, step: 2 },
  slots: { min: 1, max: 16, step: 1 },
  bandwidth_mbps: { min: 50, max: 1000, step: 50 },
  load: { min: 0.1, max: 1.2, step: 0.05 },
} as { [key: string]: { min: number; max: number; step: number } };
/** How many steps to either side are computed ahead, the nearest first. */
const AHEAD = 2;
/** A slider rests after this many milliseconds. */
const REST = 500;

/**
 * @param enter sets the value of the key
 * @param lookAhead computes the answers to other entries ahead
 * @returns null for a key without a slider
 */
export function slider(
  key: Key,
  enter: (value: string) => void,
  lookAhead: (all: Entries[]) => void,
): { element: HTMLInputElement; show: (now: Reading) => void } | null {
  const range = RANGES[key.name];
  if (range === undefined) return null;
  const { min, max, step } = range;
  // An explanation of the key would cover the answer.
  const element = make('input', { type: 'range', 'aria-label': key.label, 'data-hint': '' });
  // They limit the value, so they come first.
  Object.assign(element, { min, max, step });
  let timer = 0;
  const rest = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      moving.value = false;
    }, REST);
  };
  element.oninput = () => {
    clearTimeout(timer);
    element.focus();
    moving.value = true;
    enter(element.value);
  };
  element.onchange = rest;
  element.onblur = rest;
  const ahead = () => {
    const at = Number(element.value);
    const values = Array.from({ length: AHEAD }, (_, place) => (place + 1) * step)
      .flatMap((far) => [at + far, at - far])
      .filter((value) => value >= min && value <= max)
      .map((value) => String(Number(value.toFixed(2))));
    lookAhead(values.map((value) => ({ ...entries.peek(), [key.name]: value })));
  };
  element.onpointerenter = element.onfocus = ahead;
  summary.subscribe(() => {
    if (element.matches(':focus, :hover')) ahead();
  });
  return {
    element,
    show(now) {
      element.hidden = [now.x, now.y].some((axis) => axis?.key === key.name);
      element.value = now.values[key.name];
      element.setAttribute('aria-valuetext', `${now.values[key.name]} ${key.unit}`.trim());
    },
  };
}
