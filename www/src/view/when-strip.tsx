/**
 * The starts of a job in all futures over time: bars, the range of eight futures in ten, and the two
 * answers that rest on time limits alone.
 */
import { useSignal } from '@preact/signals';
import { ticks } from '../ticks.ts';
import { whenTexts as said } from '../texts/when.ts';
import { CopyAs } from './copy-as-button.tsx';
import { csvOf } from './export-file.ts';
import { Key } from './key.tsx';
import { quantile } from './when-futures.ts';
import type { Answered } from './when-futures.ts';

/** How many bars there are, and how many ticks at most. */
const BARS = 60;
const TICKS = 6;
/** The part of the futures that the axis shows, and what follows the last of them, as shares. */
const SHOWN = 98;
const REST = 1.04;
/** Heights in CSS pixels: of all, and of the bars. */
const HEIGHT = 122;
const BASE = 92;
const TOP = 18;
/** The labels of P10, P50 and P90, which may be close to each other. */
const ANCHORS = ['end', 'middle', 'start'] as const;

interface StripParts {
  answered: Answered;
  /** When time 0 was, in seconds since 1970. */
  begins: number | null;
}

export function WhenStrip({ answered: { starts, told }, begins }: StripParts) {
  const pointed = useSignal('');
  const axis = axisOf(starts, told?.forecast ?? null);
  if (axis === null) return null;
  const { from, until } = axis;
  const share = (at: number) => `${(100 * (at - from)) / (until - from)}%`;
  const marks = ([10, 50, 90] as const).map((percent) => quantile(starts, percent));
  const later = starts.filter((start) => start < 0 || start > until).length / starts.length;
  const point = (event: PointerEvent & { currentTarget: SVGSVGElement }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const at = from + (until - from) * Math.min(1, Math.max(0, (event.clientX - left) / width));
    const started = starts.filter((start) => start >= 0 && start <= at).length;
    pointed.value = said.by(said.at(at, begins), started / starts.length);
  };
  return (
    <figure class="strip">
      <figcaption>
        {said.strip}
        <CopyAs name={said.strip} chart={() => ({ of: 'forecast', csv: () => inOrder(starts) })} />
      </figcaption>
      <svg
        height={HEIGHT}
        role="img"
        aria-label={said.strip}
        onPointerMove={point}
        onPointerLeave={() => {
          pointed.value = '';
        }}
      >
        <Band marks={marks} share={share} until={until} from={from} />
        <Bars starts={starts} from={from} until={until} />
        {marks.map(
          (at, place) =>
            at !== null &&
            at <= until && (
              <Mark
                key={place}
                at={share(at)}
                name={Object.values(said.marks)[place]}
                anchor={anchor((at - from) / (until - from), ANCHORS[place])}
              />
            ),
        )}
        {told !== null &&
          told.forecast.weeks > 0 &&
          (['optimist', 'pessimist'] as const).map((name) => {
            const at = told.forecast[name].start_s;
            return (
              at !== null &&
              at <= until && <circle key={name} class={name} cx={share(at)} cy={BASE} r={5} />
            );
          })}
        <line class="base" x1="0" x2="100%" y1={BASE} y2={BASE} />
        {ticks(from, until, TICKS, begins).map(({ at, label }) => (
          <g key={at}>
            <line class="base" x1={share(at)} x2={share(at)} y1={BASE} y2={BASE + 5} />
            <text x={share(at)} y={BASE + 24} text-anchor={anchor((at - from) / (until - from))}>
              {label}
            </text>
          </g>
        ))}
      </svg>
      <p class="soft pointed">{pointed}</p>
      <p class="soft">
        <Key kind="band" words={said.band} />
        {told !== null && told.forecast.weeks > 0 && (
          <>
            <Key kind="optimist" words={said.optimist} />
            <Key kind="pessimist" words={said.pessimist} />
          </>
        )}
        {later > 0 && said.later(later)}
      </p>
    </figure>
  );
}

/** The starts in order, a line for each future; empty where the job does not start in it. */
function inOrder(starts: number[]) {
  const rows = starts.map((start) => [start < 0 ? null : start]);
  return csvOf('forecast-starts.csv', [['start_s'], ...rows]);
}

/** The shown part of time; null where the futures start the job at one instant, or none does. */
function axisOf(starts: number[], forecast: { at_s: number } | null) {
  const from = forecast?.at_s ?? starts[0];
  const shown = quantile(starts, SHOWN) ?? starts.filter((start) => start >= 0).at(-1);
  const isCertain = shown === starts[0];
  if (from === undefined || shown === undefined || shown <= from || isCertain) return null;
  return { from, until: from + (shown - from) * REST };
}

interface Of {
  from: number;
  until: number;
}

function Bars({ starts, from, until }: Of & { starts: number[] }) {
  const counts = new Array<number>(BARS).fill(0);
  for (const start of starts) {
    const bar = Math.floor((BARS * (start - from)) / (until - from));
    if (start >= 0 && bar < BARS) counts[bar] += 1;
  }
  const most = Math.max(...counts);
  return counts.map((count, bar) => {
    const height = ((BASE - TOP) * count) / most;
    return (
      count > 0 && (
        <rect
          key={bar}
          class="bar"
          x={`${(100 * bar) / BARS}%`}
          width={`${90 / BARS}%`}
          y={BASE - height}
          height={height}
        />
      )
    );
  });
}

interface BandParts extends Of {
  marks: (number | null)[];
  share: (at: number) => string;
}

/** From P10 to P90, or to the end. */
function Band({ marks: [low, , high], share, from, until }: BandParts) {
  if (low === null || low === undefined) return null;
  const end = Math.min(high ?? until, until);
  return (
    <rect
      class="band"
      x={share(low)}
      width={`${(100 * (end - low)) / (until - from)}%`}
      y={TOP}
      height={BASE - TOP}
    />
  );
}

function Mark({ at, name, anchor }: { at: string; name: string; anchor: Anchor }) {
  return (
    <g class="mark">
      <line x1={at} x2={at} y1={TOP} y2={BASE} />
      <text x={at} y={TOP - 5} text-anchor={anchor}>
        {name}
      </text>
    </g>
  );
}

type Anchor = 'start' | 'middle' | 'end';

/** Labels at the ends stay within the picture. */
function anchor(share: number, inside: Anchor = 'middle'): Anchor {
  if (share < 0.04) return 'start';
  return share > 0.96 ? 'end' : inside;
}
