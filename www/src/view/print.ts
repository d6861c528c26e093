/** The scenario on paper: a list of its settings instead of the form. */
import { byId, make } from '../dom.ts';
import { reading } from '../state.ts';
import { printTexts } from '../texts/print.ts';
import type { Tables } from '../state.ts';

export function printedScenario({ keys }: Tables) {
  const list = make('dl');
  byId('answer').before(
    make('section', { class: 'printed' }, make('h2', {}, printTexts.title), list),
  );
  reading.subscribe((now) => {
    if (now === null || now.problems.length > 0) return;
    const changed = now.changed.map(([key]) => key);
    const swept = [now.x, now.y].flatMap((axis) => (axis === null ? [] : [axis.key]));
    const said = keys.filter(
      ({ name, kind, essential }) =>
        now.relevant.includes(name) &&
        (essential || changed.includes(name)) &&
        !['policies', 'sweep', 'sha256', 'metric'].includes(kind) &&
        !swept.includes(name) &&
        now.values[name] !== '',
    );
    const values = said.map(({ name, label, choices, unit }) => {
      const value = now.values[name];
      const word = choices.find((choice) => choice.value === value)?.label;
      return [label, word ?? (/^\d/.test(value) ? `${value} ${unit}` : value)];
    });
    const axes = [now.x, now.y].flatMap((axis) =>
      axis === null ? [] : [[axis.label, axis.values.join(', ')]],
    );
    const rows = [
      [printTexts.policies, now.policies.map(({ label }) => label).join(', ')],
      ...axes,
      ...values,
    ];
    list.replaceChildren(
      ...rows.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]),
    );
  });
}
