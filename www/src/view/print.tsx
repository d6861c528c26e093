/** The scenario on paper: a list of its settings instead of the form. */
import { signal } from '@preact/signals';
import { byId } from '../dom.ts';
import { mounted } from '../mount.ts';
import { reading } from '../state.ts';
import { printTexts } from '../texts/print.ts';
import { Pairs } from './pairs.tsx';
import type { Pair } from './pairs.tsx';
import type { Reading, Tables } from '../state.ts';

export function printedScenario({ keys }: Tables) {
  const settings = signal<Pair[]>([]);
  const Drawn = () => (
    <section class="printed">
      <h2>{printTexts.title}</h2>
      <Pairs all={settings.value} />
    </section>
  );
  byId('answer').before(mounted(<Drawn />));
  reading.subscribe((now) => {
    if (now !== null && now.problems.length === 0) settings.value = settingsOf(keys, now);
  });
}

/** The policies, the swept values, and the values of essential and of changed keys. */
function settingsOf(keys: Tables['keys'], now: Reading): Pair[] {
  const changed = now.changed.map(([key]) => key);
  const axes = [now.x, now.y].flatMap((axis) => axis ?? []);
  const swept = axes.map(({ key }) => key);
  const said = keys.filter(
    ({ name, kind, essential }) =>
      now.relevant.includes(name) &&
      (essential || changed.includes(name)) &&
      !['policies', 'sweep', 'sha256', 'metric'].includes(kind) &&
      !swept.includes(name) &&
      now.values[name] !== '',
  );
  return [
    [printTexts.policies, now.policies.map(({ label }) => label).join(', ')],
    ...axes.map(({ label, values }): Pair => [label, values.join(', ')]),
    ...said.map(({ name, label, choices, unit }): Pair => {
      const value = now.values[name];
      const word = choices.find((choice) => choice.value === value)?.label;
      return [label, word ?? (/^\d/.test(value) ? `${value} ${unit}` : value)];
    }),
  ];
}
