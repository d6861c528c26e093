import { byId, make } from '../dom.ts';
import { summary } from '../state.ts';
import { answerTexts } from '../texts/answer.ts';
import type { Curves, Summary, Value } from '../../pkg/backfill_web.js';

/**
 * The numbers of the main metrics, and of every other metric, as tables: a row per x, a column per
 * policy.
 */
export function table() {
  const details = byId('numbers') as HTMLDetailsElement;
  const box = byId('table');
  let stale = true;
  /** Whether the other metrics are unfolded. */
  let all = false;
  const show = () => {
    const now = summary.get();
    if (now === null || !details.open || !stale) return;
    stale = false;
    const region = make('div', {
      class: 'table-scroll',
      tabIndex: 0,
      role: 'region',
      'aria-label': answerTexts.tableRegion,
    });
    const tables = (metrics: Curves[]) => metrics.map((metric) => oneTable(metric, now));
    const others = make(
      'details',
      { class: 'more', open: all },
      make('summary', {}, answerTexts.otherMetrics),
    );
    others.ontoggle = () => {
      all = others.open;
      if (all && others.children.length === 1)
        others.append(
          ...tables(now.metrics.filter((metric) => !now.headline.includes(metric.name))),
        );
    };
    const first = now.headline.flatMap((name) =>
      now.metrics.filter((metric) => metric.name === name),
    );
    region.append(...tables(first), others);
    box.replaceChildren(region);
  };
  summary.watch(() => {
    stale = true;
    show();
  });
  details.addEventListener('toggle', show);
}

export function oneTable(metric: Curves, all: Summary) {
  const head = make('tr', {}, make('th', { scope: 'col' }, all.x.label || answerTexts.unswept));
  for (const policy of all.policies) head.append(make('th', { scope: 'col' }, policy));
  const body = make('tbody');
  all.x.values.forEach((x, row) => {
    const line = make('tr', {}, make('th', { scope: 'row' }, x || answerTexts.asGiven));
    for (const curve of metric.curves) line.append(cell(curve[row]));
    body.append(line);
  });
  return make(
    'table',
    {},
    make('caption', {}, answerTexts.tableOf(metric.label, metric.unit)),
    make('thead', {}, head),
    body,
  );
}

export function cell(value: Value | null) {
  if (value === null) return make('td', {}, answerTexts.missing);
  const data = make('td', {}, value.mean);
  if (value.half !== null) data.append(make('span', { class: 'half' }, `± ${value.half}`));
  return data;
}
