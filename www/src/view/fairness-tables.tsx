/** The tables of the distribution of waits. */
import { mount } from '../mount.ts';
import { answerTexts } from '../texts/answer.ts';
import { fairnessTexts } from '../texts/fairness.ts';
import { Cell, MetricTable } from './table.tsx';
import { Term } from './term.tsx';
import type { Curves, Summary } from '../../pkg/backfill_web.js';

/** Fills a place with the levels of a distribution. */
export function levelsTable(place: Element, metric: Curves, all: Summary) {
  mount(<MetricTable metric={metric} all={all} />, place);
}

/**
 * Fills a place with the means of some metrics, a row for each policy.
 * @param x the position of the value of x
 */
export function besideTable(place: Element, metrics: string[], means: Summary, x: number) {
  const columns = metrics.flatMap((name) => means.metrics.filter((metric) => metric.name === name));
  mount(<Beside columns={columns} policies={means.policies} x={x} />, place);
}

function Beside({ columns, policies, x }: { columns: Curves[]; policies: string[]; x: number }) {
  return (
    <table>
      <caption>{fairnessTexts.beside}</caption>
      <thead>
        <tr>
          <th scope="col">{fairnessTexts.policy}</th>
          {columns.map(({ name, label, unit }) => (
            <th key={name} scope="col">
              <Term words={answerTexts.tableOf(label, unit)} term={`metric:${name}`} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {policies.map((policy, position) => (
          <tr key={position}>
            <th scope="row">{policy}</th>
            {columns.map(({ name, curves }) => (
              <Cell key={name} value={curves[position][x] ?? null} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
