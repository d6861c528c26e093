/** What the comparison says around its chart; compare.ts keeps what is compared. */
import { signal } from '@preact/signals';
import { mounted } from '../mount.ts';
import { pointed, work } from '../state.ts';
import { compareTexts } from '../texts/compare.ts';
import { Choice } from './choice.tsx';
import { DifferenceTable, RankingTable } from './comparison-tables.tsx';
import { Region } from './table.tsx';
import { WithTerms } from './term.tsx';
import type { SeriesStyle } from '../../pkg/backfill_web.js';
import type { ComparisonState } from './compare.ts';

/** The default target for half the width of an interval, in per cent of the mean. */
const WITHIN = 10;

interface Parts {
  state: ComparisonState;
}

/** @returns the elements of the comparison, its chart among them, in their order */
export function drawComparison(
  state: ComparisonState,
  styles: SeriesStyle[],
  chart: HTMLElement,
): HTMLElement[] {
  return [
    mounted(<Fields state={state} />),
    mounted(<Sentences state={state} />),
    mounted(<Warning state={state} />),
    mounted(<Remedy state={state} />),
    mounted(<Ranking state={state} styles={styles} />),
    chart,
    mounted(<Overview state={state} />),
    mounted(<Differences state={state} />),
    mounted(<Replicating state={state} within={signal(String(WITHIN))} />),
  ];
}

function Fields({ state }: Parts) {
  const { all = null, names = [], metric = '', comparison } = state.compared.value ?? {};
  return (
    <div class="pick">
      <label>
        <span>{compareTexts.metric}</span>
        <select
          data-term="metric:"
          value={metric}
          onChange={({ currentTarget }) => state.choose(currentTarget.value)}
        >
          {all?.metrics.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <Choice
        label={compareTexts.reference}
        value={comparison === undefined ? '' : names[comparison.reference]}
        choices={(all?.policies ?? []).map((label, position) => [names[position], label])}
        choose={(policy) => state.asks.refer(policy)}
      />
      <Choice
        label={all?.x.label ?? ''}
        hidden={!all?.x.label}
        value={String(state.place.value)}
        choices={(all?.x.values ?? []).map((value, position) => [String(position), value])}
        choose={(place) => {
          pointed.value = Number(place);
        }}
      />
    </div>
  );
}

/** What is said of the described value of x. */
function Sentences({ state }: Parts) {
  const compared = state.compared.value;
  const sentences = compared?.comparison.places[state.place.value]?.sentences ?? [];
  return (
    <div role="status">
      <ul class="said here">
        {compared !== null &&
          sentences.map((sentence) => (
            <li key={sentence}>
              <WithTerms sentence={sentence} all={compared.all} />
            </li>
          ))}
      </ul>
    </div>
  );
}

function Warning({ state }: Parts) {
  const warning = state.compared.value?.comparison.warning ?? '';
  return (
    <p class="warning" hidden={warning === ''}>
      {warning}
    </p>
  );
}

/** Offers a change of the scenario after which more can be compared. */
function Remedy({ state }: Parts) {
  const remedy = state.compared.value?.comparison.remedy ?? null;
  return (
    <button
      type="button"
      class="remedy"
      hidden={remedy === null}
      onClick={() => {
        if (remedy !== null) state.asks.settle(remedy.key, remedy.value);
      }}
    >
      {remedy?.words}
    </button>
  );
}

function Ranking({ state, styles }: Parts & { styles: SeriesStyle[] }) {
  const compared = state.compared.value;
  const x = state.place.value;
  const ranks = compared?.comparison.places[x]?.ranking ?? [];
  return (
    <Region label={compareTexts.rankingRegion}>
      {compared !== null &&
        (ranks.length === 0 ? (
          <p class="soft">{compareTexts.unranked}</p>
        ) : (
          <RankingTable {...compared} ranks={ranks} styles={styles} x={x} />
        ))}
    </Region>
  );
}

function Overview({ state }: Parts) {
  return (
    <ul class="said overall">
      {state.compared.value?.comparison.overview.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

function Differences({ state }: Parts) {
  const compared = state.compared.value;
  return (
    <details class="numbers">
      <summary>{compareTexts.table}</summary>
      <Region label={compareTexts.tableRegion}>
        {compared !== null && <DifferenceTable {...compared} />}
      </Region>
    </details>
  );
}

/** Asks for replications until the intervals are narrow. */
function Replicating({ state, within }: Parts & { within: { value: string } }) {
  const read = state.read.value;
  const percent = Number(within.value);
  const metric = state.compared.value?.metric ?? '';
  return (
    <div class="replicating" hidden={read === null || !read.relevant.includes('reps')}>
      <label for="within">{compareTexts.within}</label>
      <input
        type="text"
        inputMode="decimal"
        value={within.value}
        id="within"
        onInput={({ currentTarget }) => {
          within.value = currentTarget.value;
          state.readAgain();
        }}
      />
      <span>%</span>
      <button
        type="button"
        disabled={work.value.phase !== 'idle' || !(percent > 0)}
        onClick={() => state.asks.replicate(metric, percent)}
      >
        {compareTexts.replicate}
      </button>
      <span class="soft" role="status">
        {read !== null && compareTexts.replications(read.replications)}
      </span>
    </div>
  );
}
