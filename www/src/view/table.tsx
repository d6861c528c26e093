import { signal } from '@preact/signals';
import { byId } from '../dom.ts';
import { mountInstead } from '../mount.ts';
import { summary } from '../state.ts';
import { answerTexts } from '../texts/answer.ts';
import type { ComponentChildren } from 'preact';
import type { Curves, Summary, Value } from '../../pkg/backfill_web.js';

/**
 * The numbers of the main metrics, and of every other metric, as tables: a row per x, a column per
 * policy. They are drawn while they are unfolded; those that the page was built with go as soon as
 * there is an answer, which may be another.
 */
export function table() {
  const details = byId('numbers', HTMLDetailsElement);
  const isOpen = signal(false);
  /** Whether the other metrics are unfolded. */
  const isAllOpen = signal(false);
  let isDrawn = false;
  const show = () => {
    isOpen.value = details.open;
    if (isDrawn || summary.peek() === null) return;
    isDrawn = true;
    const Drawn = () =>
      isOpen.value && summary.value !== null ? (
        <Numbers
          all={summary.value}
          isAllOpen={isAllOpen.value}
          openAll={(isSo) => {
            isAllOpen.value = isSo;
          }}
        />
      ) : null;
    mountInstead(<Drawn />, byId('table'));
  };
  summary.subscribe(show);
  details.addEventListener('toggle', show);
}

/** A table that scrolls sideways where it is wider than the page. */
export function Region({ label, children }: { label: string; children?: ComponentChildren }) {
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}

interface NumbersParts {
  all: Summary;
  isAllOpen: boolean;
  openAll: (isSo: boolean) => void;
}

function Numbers({ all, isAllOpen, openAll }: NumbersParts) {
  const { metrics, headline } = all;
  const first = headline.flatMap((name) => metrics.filter((metric) => metric.name === name));
  const others = metrics.filter(({ name }) => !headline.includes(name));
  const tables = (of: Curves[]) =>
    of.map((metric) => <MetricTable key={metric.name} metric={metric} all={all} />);
  return (
    <Region label={answerTexts.tableRegion}>
      {tables(first)}
      <details
        class="more"
        open={isAllOpen}
        onToggle={({ currentTarget }) => openAll(currentTarget.open)}
      >
        <summary>{answerTexts.otherMetrics}</summary>
        {isAllOpen && tables(others)}
      </details>
    </Region>
  );
}

export function MetricTable({ metric, all }: { metric: Curves; all: Summary }) {
  return (
    <table>
      <caption>{answerTexts.tableOf(metric.label, metric.unit)}</caption>
      <thead>
        <tr>
          <th scope="col">{all.x.label || answerTexts.unswept}</th>
          {all.policies.map((policy, place) => (
            <th key={place} scope="col">
              {policy}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {all.x.values.map((x, row) => (
          <tr key={row}>
            <th scope="row">{x || answerTexts.asGiven}</th>
            {metric.curves.map((curve, place) => (
              <Cell key={place} value={curve[row]} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CellParts {
  value: Value | null;
  unit?: string;
  class?: string;
  /** What stands after it. */
  children?: ComponentChildren;
}

/** A mean with half the width of its interval. */
export function Cell({ value, unit = '', class: kind, children }: CellParts) {
  return (
    <td class={kind}>
      {value === null ? answerTexts.missing : value.mean}
      {value !== null && value.half !== null && <span class="half">{`± ${value.half}`}</span>}
      {value !== null && unit}
      {children}
    </td>
  );
}
