/**
 * Sliders beside the numbers of some keys: the answer follows them. A swept key has none, since its
 * values are those of the axis.
 */
import { useEffect, useRef } from 'preact/hooks';
import { entries, moving, summary, validReading } from '../state.ts';
import { enter } from './field.tsx';
import type { Key } from '../../pkg/backfill_web.js';
import type { Entries } from '../state.ts';

interface Range {
  min: number;
  max: number;
  step: number;
}

/** The ends and steps of sliders; other values are typed. */
const RANGES: { [key: string]: Range | undefined } = {
  k: { min: 4, max: 16, step: 2 },
  slots: { min: 1, max: 16, step: 1 },
  bandwidth_mbps: { min: 50, max: 1000, step: 50 },
  load: { min: 0.1, max: 1.2, step: 0.05 },
};
/** How many steps to either side are computed ahead, the nearest first. */
const AHEAD = 2;
/** A slider rests after this many milliseconds. */
const REST = 500;

interface SliderParts {
  of: Key;
  hidden: boolean;
  /** Computes the answers to other entries ahead. */
  lookAhead: (all: Entries[]) => void;
}

export function Slider({ of, ...others }: SliderParts) {
  const range = RANGES[of.name];
  return range === undefined ? null : <RangeSlider of={of} range={range} {...others} />;
}

function RangeSlider({ of, range, hidden, lookAhead }: SliderParts & { range: Range }) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  const value = validReading.value.values[of.name];
  const rest = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      moving.value = false;
    }, REST);
  };
  const move = (to: HTMLInputElement) => {
    clearTimeout(timer.current);
    to.focus();
    moving.value = true;
    enter(of, to.value);
  };
  const ahead = () => {
    if (input.current === null) return;
    const values = valuesAround(Number(input.current.value), range);
    lookAhead(values.map((each) => ({ ...entries.peek(), [of.name]: each })));
  };
  useEffect(
    () =>
      summary.subscribe(() => {
        if (input.current?.matches(':focus, :hover')) ahead();
      }),
    [],
  );
  // The range limits the value, so it comes first; an explanation of the key would cover the answer.
  return (
    <input
      ref={input}
      type="range"
      aria-label={of.label}
      data-hint=""
      {...range}
      hidden={hidden}
      value={value}
      aria-valuetext={`${value} ${of.unit}`.trim()}
      onInput={({ currentTarget }) => move(currentTarget)}
      onChange={rest}
      onBlur={rest}
      onPointerEnter={ahead}
      onFocus={ahead}
    />
  );
}

/** The values a few steps to either side. */
function valuesAround(at: number, { min, max, step }: Range) {
  return Array.from({ length: AHEAD }, (_, place) => (place + 1) * step)
    .flatMap((far) => [at + far, at - far])
    .filter((value) => value >= min && value <= max)
    .map((value) => String(Number(value.toFixed(2))));
}
