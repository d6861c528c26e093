/**
 * The plan that a pass believes in: slots over time, running jobs stacked by their estimated ends,
 * above them what is reserved and where the job of the step would run.
 */
import { instant } from '../format.ts';
import { chosenJob } from '../state.ts';
import { stepTexts } from '../texts/step.ts';
import type { ToldPass } from '../../pkg/backfill_web.js';
import type { Bar, Believed } from './step-state.ts';

const WIDTH = 640;
const HEIGHT = 240;
/** Below it, for the instants. */
const FOOT = 26;
/** Bars that are lower or shorter have no number. */
const LOWEST = 12;
const SHORTEST = 24;

export function StepPlan({ pass, now }: { pass: ToldPass; now: Believed }) {
  const { at, slots } = pass;
  const until = horizon(at, now);
  const x = (time: number) => (WIDTH * (Math.min(Math.max(time, at), until) - at)) / (until - at);
  const height = (count: number) => (HEIGHT * count) / Math.max(slots, 1);
  /** The slots that running jobs hold at an instant, by their estimates. */
  const heldAt = (time: number) =>
    now.running.reduce((sum, bar) => sum + (bar.until > time ? bar.size : 0), 0);
  const rect = (bar: Bar, base: number, kind: string) => (
    <PlanBar
      key={`${kind}${bar.job}`}
      kind={kind + (chosenJob.value === bar.job ? ' chosen' : '')}
      number={bar.number}
      left={x(bar.from)}
      right={x(bar.until)}
      top={HEIGHT - height(base + bar.size)}
      bottom={HEIGHT - height(base)}
    />
  );
  let base = 0;
  const stacked = now.running.map((bar) => {
    const drawn = rect(bar, base, `running shade-${bar.job % 4}`);
    base += bar.size;
    return drawn;
  });
  const { candidate } = now;
  return (
    <figure class="plan-of-pass">
      <figcaption>{stepTexts.plan}</figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT + FOOT}`}
        role="img"
        aria-label={stepTexts.planHelp(instant(until))}
      >
        <rect class="room" x="0" y="0" width={WIDTH} height={HEIGHT} />
        {stacked}
        {now.reserved.map((bar) => rect(bar, heldAt(bar.from), 'reserved'))}
        {candidate && rect(candidate, heldAt(at), candidate.delays ? 'delays' : 'fits')}
        <text x="0" y={HEIGHT + 20}>
          {stepTexts.now}
        </text>
        <text x={WIDTH} y={HEIGHT + 20} text-anchor="end">
          {instant(until)}
        </text>
      </svg>
    </figure>
  );
}

/**
 * The last instant that is drawn: all of what is reserved or looked at, and most running jobs; a
 * few that end much later would leave the others no width.
 */
function horizon(at: number, { running, reserved, candidate }: Believed) {
  const looked = [...reserved, ...(candidate === null ? [] : [candidate])];
  const ends = running.map((bar) => bar.until - at).sort((a, b) => a - b);
  const most = ends[Math.floor(0.75 * ends.length)] ?? 0;
  const longest = Math.min(ends.at(-1) ?? 0, 2 * most);
  return Math.max(at + Math.max(longest, 1), ...looked.map((bar) => bar.until));
}

interface PlanBarParts {
  kind: string;
  number: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function PlanBar({ kind, number, left, right, top, bottom }: PlanBarParts) {
  const [width, height] = [right - left, bottom - top];
  const isNamed = height >= LOWEST && width >= SHORTEST;
  return (
    <g class={kind}>
      <rect x={left} y={top} width={Math.max(width, 1)} height={Math.max(height, 1)} />
      {isNamed && (
        <text x={left + width / 2} y={top + height / 2 + 4} text-anchor="middle">
          {number}
        </text>
      )}
    </g>
  );
}
