/** The ranking at one value of x, and the differences at all of them. */
import { answerTexts } from '../texts/answer.ts';
import { compareTexts } from '../texts/compare.ts';
import { Swatch } from './swatch.tsx';
import { Cell } from './table.tsx';
import { Term } from './term.tsx';
import type { Comparison, Rank, SeriesStyle, Summary } from '../../pkg/backfill_web.js';

interface ComparedParts {
  all: Summary;
  comparison: Comparison;
}

interface RankingTableParts extends ComparedParts {
  ranks: Rank[];
  styles: SeriesStyle[];
  x: number;
}

export function RankingTable({ all, comparison, ranks, styles, x }: RankingTableParts) {
  const words = compareTexts.columns;
  const columns = [
    words.rank,
    words.policy,
    words.value,
    words.difference(comparison.unit),
    words.change,
    hasIntervals(ranks) ? words.verdictByInterval : words.verdict,
  ];
  const where = all.x.label === '' ? '' : `${all.x.label} ${all.x.values[x]}`;
  return (
    <table class="ranking">
      <caption>{compareTexts.ranking(comparison.label, where)}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {ranks.map((rank) => (
          <RankRow key={rank.policy} rank={rank} name={all.policies[rank.policy]} styles={styles} />
        ))}
      </tbody>
    </table>
  );
}

function hasIntervals(ranks: Rank[]) {
  return ranks.some(({ difference }) => difference !== null && difference.half !== null);
}

interface RankRowParts {
  rank: Rank;
  /** The policy. */
  name: string;
  styles: SeriesStyle[];
}

function RankRow({ rank: ranked, name, styles }: RankRowParts) {
  const { policy, rank, value, difference, change, verdict, apart } = ranked;
  const said = verdict === null ? compareTexts.isReference : compareTexts.verdict[verdict];
  return (
    <tr class={apart === null ? '' : 'apart'}>
      <td>{rank === null ? answerTexts.missing : rank}</td>
      <th scope="row">
        <Swatch styles={styles} position={policy} />
        <Term words={name} term={`policy:${name}`} />
      </th>
      <Cell value={value} />
      <Cell value={difference} />
      <Cell value={change} unit=" %" />
      <td class={`says ${verdict ?? ''}`.trim()}>
        {apart === null ? said : compareTexts.apart(apart)}
      </td>
    </tr>
  );
}

export function DifferenceTable({ all, comparison }: ComparedParts) {
  const { label, unit, reference, places } = comparison;
  const others = all.policies
    .map((name, policy) => ({ name, policy }))
    .filter(({ policy }) => policy !== reference);
  const intervals = places.some(({ ranking }) => hasIntervals(ranking));
  return (
    <table>
      <caption>{compareTexts.differences(label, unit, all.policies[reference], intervals)}</caption>
      <thead>
        <tr>
          <th scope="col">{all.x.label || answerTexts.unswept}</th>
          {others.map(({ name, policy }) => (
            <th key={policy} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {places.map(({ ranking }, x) => (
          <tr key={x}>
            <th scope="row">{all.x.values[x] || answerTexts.asGiven}</th>
            {others.map(({ policy }) => (
              <DifferenceCell key={policy} rank={ranking.find((each) => each.policy === policy)} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DifferenceCell({ rank }: { rank: Rank | undefined }) {
  const apart = rank?.apart ?? null;
  return (
    <Cell value={rank?.difference ?? null} class={apart ? 'apart' : ''}>
      {apart && (
        <span class="half" tabIndex={0} data-hint={compareTexts.apart(apart)}>
          {compareTexts.mark}
        </span>
      )}
    </Cell>
  );
}
