/**
 * The plan that a pass believes in: slots over time, running jobs stacked by their estimated ends,
 * above them what is reserved, what is free until then, and where the job of the step would run.
 * Jobs that have what others leave over are above a line, slots that are off at the top. What the pass cannot know is dashed: when jobs really end.
 */
import { instant } from '../format.ts';
import { chosenJob } from '../state.ts';
import { stepTexts as said } from '../texts/step.ts';
import { gap, heldAt } from './step-state.ts';
import type { ToldPass } from '../../pkg/backfill_web.js';
import type { Bar, Believed } from './step-state.ts';

/** The size of the drawing, which scales with its place: alone, and among others. */
const ALONE = [640, 240] as const;
const AMONG = [320, 170] as const;
/** Below it, for the instants. */
const FOOT = 26;
/** Bars that are lower or shorter have no number. */
const LOWEST = 12;
const SHORTEST = 24;

interface StepPlanParts {
  pass: ToldPass;
  now: Believed;
  /** The instants at the ends of all plans side by side; null for a plan alone. */
  ends?: [from: number, until: number] | null;
}

export function StepPlan({ pass, now, ends = null }: StepPlanParts) {
  const { slots } = pass;
  const [from, until] = ends ?? [pass.at, horizon(pass.at, now)];
  const [width, depth] = ends === null ? ALONE : AMONG;
  const x = (time: number) =>
    (width * (Math.min(Math.max(time, from), until) - from)) / (until - from);
  const { candidate, reserved, on } = now;
  const isShared = [...now.running, ...(candidate === null ? [] : [candidate])].some(
    ({ isBehind }) => isBehind,
  );
  const height = (count: number) => (depth * count) / Math.max(isShared ? 2 * slots : slots, 1);
  const rect = (bar: Bar, base: number, kind: string) => (
    <PlanBar
      key={`${kind}${bar.job}`}
      kind={kind}
      job={bar.job}
      number={bar.number}
      left={x(bar.from)}
      right={x(bar.until)}
      top={depth - height(base + bar.size)}
      bottom={depth - height(base)}
    />
  );
  const baseOf = (bar: Bar, time: number) =>
    (bar.isBehind ? slots : 0) + heldAt(now.running, time, bar.isBehind);
  const bases = [0, slots] as [number, number];
  const stacked = now.running.map((bar) => {
    const tier = bar.isBehind ? 1 : 0;
    const base = bases[tier];
    const top = depth - height(base + bar.size);
    const bottom = depth - height(base);
    const drawn = rect(bar, base, `running shade-${bar.job % 4}`);
    bases[tier] += bar.size;
    if (bar.end === null || bar.end > until) return [drawn, null] as const;
    // The end alone, or what the job runs on for.
    const [left, right] = [x(Math.min(bar.until, bar.end)), x(bar.end)];
    const end =
      bar.end > bar.until
        ? `M${left} ${top}H${right}V${bottom}H${left}`
        : `M${right} ${top}V${bottom}`;
    return [drawn, <path key={`end${bar.job}`} class="end" d={end} />] as const;
  });
  const free = gap(now, pass);
  return (
    <figure class="plan-of-pass">
      <PlanCaption now={now} isFree={free.length > 0} isShared={isShared} isPartOff={on < slots} />
      <svg
        viewBox={`0 0 ${width} ${depth + FOOT}`}
        role="img"
        aria-label={said.planHelp(instant(until))}
      >
        <rect class="room" x="0" y="0" width={width} height={depth} />
        {free.map((room) => (
          <rect
            key={room.from}
            class="gap"
            x={x(room.from)}
            y={depth - height(on)}
            width={x(room.until) - x(room.from)}
            height={height(on - room.held)}
          />
        ))}
        {on < slots && <rect class="off" x="0" y="0" width={width} height={depth - height(on)} />}
        {stacked.map(([bar]) => bar)}
        {stacked.map(([, end]) => end)}
        {isShared && <path class="tiers" d={`M0 ${depth / 2}H${width}`} />}
        {reserved.map((bar) => rect(bar, baseOf(bar, bar.from), 'reserved'))}
        {candidate &&
          rect(candidate, baseOf(candidate, pass.at), candidate.delays ? 'delays' : 'fits')}
        <text x="0" y={depth + 20}>
          {said.now}
        </text>
        <text x={width} y={depth + 20} text-anchor="end">
          {instant(until)}
        </text>
      </svg>
    </figure>
  );
}

interface PlanCaptionParts {
  now: Believed;
  isFree: boolean;
  isShared: boolean;
  isPartOff: boolean;
}

/** What is drawn, and how. */
function PlanCaption({ now, isFree, isShared, isPartOff }: PlanCaptionParts) {
  const ends = now.running.flatMap(({ end, until }) => (end === null ? [] : [end - until]));
  const early = ends.filter((late) => late < 0).length;
  const late = ends.filter((late) => late > 0).length;
  const { legend } = said;
  const keys = [
    ends.length > 0 && (['end', legend.ends(early, late, ends.length)] as const),
    now.reserved.length > 0 && (['reserved', legend.reserved] as const),
    isFree && (['gap', legend.gap] as const),
    isShared && (['tiers', legend.tiers] as const),
    isPartOff && (['off', legend.off] as const),
  ].filter((key) => key !== false);
  return (
    <figcaption>
      {said.plan}{' '}
      {keys.map(([kind, words]) => (
        <span key={kind} class="key">
          <span class={`sample of-${kind}`} />
          {words}
        </span>
      ))}
    </figcaption>
  );
}

/**
 * The last instant that is drawn: all of what is reserved or looked at, and most running jobs; a
 * few that end much later would leave the others no width.
 */
export function horizon(at: number, { running, reserved, candidate }: Believed) {
  const looked = [...reserved, ...(candidate === null ? [] : [candidate])];
  const ends = running.map((bar) => Math.max(bar.until, bar.end ?? at) - at).sort((a, b) => a - b);
  const most = ends[Math.floor(0.75 * ends.length)] ?? 0;
  const longest = Math.min(ends.at(-1) ?? 0, 2 * most);
  return Math.max(at + Math.max(longest, 1), ...looked.map((bar) => bar.until));
}

interface PlanBarParts {
  kind: string;
  job: number;
  number: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function PlanBar({ kind, job, number, left, right, top, bottom }: PlanBarParts) {
  const [width, height] = [right - left, bottom - top];
  const isNamed = height >= LOWEST && width >= SHORTEST;
  return (
    <g
      class={chosenJob.value === job ? `${kind} chosen` : kind}
      onClick={() => {
        chosenJob.value = job;
      }}
    >
      <rect x={left} y={top} width={Math.max(width, 1)} height={Math.max(height, 1)} />
      {isNamed && (
        <text x={left + width / 2} y={top + height / 2 + 4} text-anchor="middle">
          {number}
        </text>
      )}
    </g>
  );
}
