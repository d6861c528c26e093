/**
 * The comparison: every policy against the reference, pair by pair. A chart of the differences with
 * the same numbers as a table, the ranking at one value of x, and sentences.
 */
import { Atom } from '../atom.ts';
import { byId, inNextFrame, make } from '../dom.ts';
import { across, dark, hidden, inspected, pointed, reading, summary, work } from '../state.ts';
import { answerTexts } from '../texts/answer.ts';
import { compareTexts } from '../texts/compare.ts';
import { Chart } from './charts.ts';
import { swatch } from './swatch.ts';
import { term, withTerms } from './term.ts';
import type {
  Comparison,
  Curves,
  Rank,
  SeriesStyle,
  Summary,
  Value,
} from '../../pkg/backfill_web.js';
import type { Heights } from '../state.ts';
import type { Draw } from './charts.ts';

/** What the comparison needs from the page. */
interface Comparing {
  /** The default metric. */
  compared: () => string;
  compare: (metric: string) => Comparison | null;
  /** Draws the differences in a metric. */
  draw: Draw;
  /** Opens the run behind a point. */
  look: (policy: number, x: number) => void;
  /** Makes a policy the reference. */
  refer: (policy: string) => void;
  /** Sets a key and runs the scenario again. */
  settle: (key: string, value: string) => void;
  /** Runs more replications until the intervals are within this percentage of their means. */
  replicate: (metric: string, percent: number) => void;
}

const HEIGHT = 230;
/** The default target for half the width of an interval, in per cent of the mean. */
const WITHIN = 10;

export function compareView(styles: SeriesStyle[], asks: Comparing) {
  const section = byId('compare');
  /** Whether the user chose the metric; until then it follows the scenario. */
  let chose = false;
  const metric = make('select', {
    'data-term': 'metric:',
    onchange: () => {
      chose = true;
      show();
    },
  });
  const reference = make('select', { onchange: () => asks.refer(reference.value) });
  const at = make('select', { onchange: () => pointed.set(Number(at.value)) });
  const place = make('label', {}, make('span'), at);
  const sentences = make('ul', { class: 'said here' });
  const warning = make('p', { class: 'warning' });
  const remedy = make('button', { type: 'button', class: 'remedy' });
  /** The differences as one metric, for the chart. */
  const state = {
    summary: new Atom(null as Summary | null),
    pointed,
    inspected,
    across,
    up: new Atom({} as Heights),
  };
  const draw: Draw = (target, of, off, isDark, width, height, seen) =>
    width === 0 ? null : asks.draw(target, of, off, isDark, width, height, seen);
  const chart = new Chart('', styles, draw, asks.look, state);
  chart.height = HEIGHT;
  chart.figure.classList.add('differences');
  const ranking = make('div', {
    class: 'table-scroll',
    tabIndex: 0,
    role: 'region',
    'aria-label': compareTexts.rankingRegion,
  });
  const differences = make('div', {
    class: 'table-scroll',
    tabIndex: 0,
    role: 'region',
    'aria-label': compareTexts.tableRegion,
  });
  const table = make(
    'details',
    { class: 'numbers' },
    make('summary', {}, compareTexts.table),
    differences,
  );
  const overview = make('ul', { class: 'said overall' });
  const within = make('input', {
    type: 'text',
    inputMode: 'decimal',
    value: String(WITHIN),
    id: 'within',
  });
  const more = make(
    'button',
    { type: 'button', onclick: () => asks.replicate(metric.value, Number(within.value)) },
    compareTexts.replicate,
  );
  const reached = make('span', { class: 'soft', role: 'status' });
  const replicating = make(
    'div',
    { class: 'replicating' },
    make('label', { htmlFor: 'within' }, compareTexts.within),
    within,
    make('span', {}, '%'),
    more,
    reached,
  );
  byId('comparison').replaceChildren(
    make(
      'div',
      { class: 'pick' },
      make('label', {}, make('span', {}, compareTexts.metric), metric),
      make('label', {}, make('span', {}, compareTexts.reference), reference),
      place,
    ),
    make('div', { role: 'status' }, sentences),
    warning,
    remedy,
    ranking,
    chart.figure,
    overview,
    table,
    replicating,
  );

  let found: Comparison | null = null;

  const show = () => {
    const now = summary.get();
    const read = reading.get();
    section.hidden = now === null || now.policies.length < 2;
    if (now === null || section.hidden || read === null) return;
    fill(
      metric,
      now.metrics.map(({ name, label }) => [name, label]),
      chose ? metric.value : asks.compared(),
    );
    fill(
      at,
      now.x.values.map((value, position) => [String(position), value]),
      String(chosen()),
    );
    place.hidden = now.x.label === '';
    (place.firstChild as HTMLElement).textContent = now.x.label;
    found = asks.compare(metric.value);
    if (found === null) return;
    const names =
      read.policies.length === now.policies.length
        ? read.policies.map(({ value }) => value)
        : now.policies;
    fill(
      reference,
      now.policies.map((label, position) => [names[position], label]),
      names[found.reference],
    );
    warning.textContent = found.warning;
    warning.hidden = found.warning === '';
    const { remedy: offered } = found;
    remedy.hidden = offered === null;
    remedy.textContent = offered?.words ?? '';
    remedy.onclick = () => {
      if (offered !== null) asks.settle(offered.key, offered.value);
    };
    overview.replaceChildren(...found.overview.map((sentence) => make('li', {}, sentence)));
    differences.replaceChildren(differenceTable(found, now));
    state.summary.set({ ...now, metrics: [curvesOf(found, now, metric.value)] });
    redraw();
    showPlace();
    showReplicating();
  };

  /** The described value of x: the one pointed at, else the last. */
  const chosen = () => {
    const last = (summary.get()?.x.values.length ?? 1) - 1;
    return Math.min(pointed.get() ?? (at.value === '' ? last : Number(at.value)), last);
  };

  const showPlace = () => {
    const now = summary.get();
    if (now === null || found === null || section.hidden) return;
    const x = chosen();
    at.value = String(x);
    const { ranking: ranks, sentences: said } = found.places[x];
    sentences.replaceChildren(
      ...said.map((sentence) => make('li', {}, ...withTerms(sentence, now))),
    );
    ranking.replaceChildren(
      ranks.length === 0
        ? make('p', { class: 'soft' }, compareTexts.unranked)
        : rankingTable(found, ranks, now, styles, x),
    );
  };

  const redraw = inNextFrame(() => {
    if (!section.hidden && state.summary.get() !== null) chart.show();
  });

  const showReplicating = () => {
    const read = reading.get();
    replicating.hidden = read === null || !read.relevant.includes('reps');
    const number = Number(within.value);
    more.disabled = work.get().phase !== 'idle' || !(number > 0);
    reached.textContent = read === null ? '' : compareTexts.replications(read.replications);
  };

  within.oninput = showReplicating;

  summary.watch(show);
  dark.watch(redraw);
  hidden.watch(redraw);
  pointed.watch(() => {
    showPlace();
    chart.mark();
  });
  inspected.watch(() => chart.mark());
  work.watch(showReplicating);
  new ResizeObserver(redraw).observe(chart.plot);
}

/**
 * The differences to the reference as the curves of a metric; those of the reference are zero.
 * @param name of the metric
 */
function curvesOf(
  { places, reference, label, unit }: Comparison,
  { policies }: Summary,
  name: string,
): Curves {
  const zero = { mean: '0', half: null, n: 0 };
  const curves = policies.map((_, position) =>
    places.map(({ ranking }) =>
      position === reference
        ? zero
        : (ranking.find(({ policy }) => policy === position)?.difference ?? null),
    ),
  );
  const differing = compareTexts.chart(label, policies[reference]);
  return { name, label: differing, unit, better: 'neither', curves };
}

/** Sets the choices, and chooses one if it is among them. */
function fill(
  select: HTMLSelectElement,
  choices: [value: string, label: string][],
  chosen: string,
) {
  const same =
    [...select.options].map(({ value, text }) => value + text).join('\n') ===
    choices.map(([value, label]) => value + label).join('\n');
  if (!same) select.replaceChildren(...choices.map(([value, label]) => new Option(label, value)));
  select.value = chosen;
}

function rankingTable(
  comparison: Comparison,
  ranks: Rank[],
  all: Summary,
  styles: SeriesStyle[],
  x: number,
) {
  const words = compareTexts.columns;
  const byInterval = ranks.some(
    ({ difference }) => difference !== null && difference.half !== null,
  );
  const head = make(
    'tr',
    {},
    ...[
      words.rank,
      words.policy,
      words.value,
      words.difference(comparison.unit),
      words.change,
      byInterval ? words.verdictByInterval : words.verdict,
    ].map((word) => make('th', { scope: 'col' }, word)),
  );
  const body = make('tbody');
  for (const { policy, rank, value, difference, change, verdict, apart } of ranks) {
    const said = verdict === null ? compareTexts.isReference : compareTexts.verdict[verdict];
    const row = make(
      'tr',
      { class: apart === null ? '' : 'apart' },
      make('td', {}, rank === null ? answerTexts.missing : String(rank)),
      make(
        'th',
        { scope: 'row' },
        swatch(styles, policy),
        term(all.policies[policy], `policy:${all.policies[policy]}`),
      ),
      cell(value),
      cell(difference),
      cell(change, ' %'),
      make(
        'td',
        { class: `says ${verdict ?? ''}`.trim() },
        apart === null ? said : compareTexts.apart(apart),
      ),
    );
    body.append(row);
  }
  const where = all.x.label === '' ? '' : `${all.x.label} ${all.x.values[x]}`;
  return make(
    'table',
    { class: 'ranking' },
    make('caption', {}, compareTexts.ranking(comparison.label, where)),
    make('thead', {}, head),
    body,
  );
}

function differenceTable(comparison: Comparison, all: Summary) {
  const others = all.policies
    .map((name, policy) => ({ name, policy }))
    .filter(({ policy }) => policy !== comparison.reference);
  const head = make(
    'tr',
    {},
    make('th', { scope: 'col' }, all.x.label || answerTexts.unswept),
    ...others.map(({ name }) => make('th', { scope: 'col' }, name)),
  );
  const body = make('tbody');
  comparison.places.forEach(({ ranking }, x) => {
    const row = make(
      'tr',
      {},
      make('th', { scope: 'row' }, all.x.values[x] || answerTexts.asGiven),
    );
    for (const { policy } of others) {
      const rank = ranking.find((each) => each.policy === policy);
      const data = cell(rank?.difference ?? null);
      if (rank?.apart)
        data.append(
          make(
            'span',
            { class: 'half', tabIndex: 0, 'data-hint': compareTexts.apart(rank.apart) },
            compareTexts.mark,
          ),
        );
      data.classList.toggle('apart', Boolean(rank?.apart));
      row.append(data);
    }
    body.append(row);
  });
  const intervals = comparison.places.some(({ ranking }) =>
    ranking.some(({ difference }) => difference !== null && difference.half !== null),
  );
  const caption = compareTexts.differences(
    comparison.label,
    comparison.unit,
    all.policies[comparison.reference],
    intervals,
  );
  return make('table', {}, make('caption', {}, caption), make('thead', {}, head), body);
}

function cell(value: Value | null, unit: string = '') {
  if (value === null) return make('td', {}, answerTexts.missing);
  const data = make('td', {}, value.mean);
  if (value.half !== null) data.append(make('span', { class: 'half' }, `± ${value.half}`));
  data.append(unit);
  return data;
}
