import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { validReading } from '../state.ts';
import { formTexts } from '../texts/form.ts';
import { enter, useComplaint } from './field.tsx';
import { PolicyList } from './policy-list.tsx';
import type { ReadonlySignal } from '@preact/signals';
import type { RefObject } from 'preact';
import type { Key, Tables } from '../../pkg/backfill_web.js';

interface PoliciesParts {
  of: Key;
  tables: Tables;
  makeOwn: (place: number) => void;
}

/** The policies compared: a list in the order of the charts, and two choices to add one. */
export function PoliciesField({ of, tables, makeOwn }: PoliciesParts) {
  const { name } = of;
  const { policies, relevant, values } = validReading.value;
  const present = policies.map(({ value }) => value);
  const add = useRef<HTMLButtonElement>(null);
  const [queue, placement] = [useRef<HTMLSelectElement>(null), useRef<HTMLSelectElement>(null)];
  const changed = useSignal(0);
  // Subscribes: what is chosen is in the lists of choices.
  changed.value;
  const possible = (all: Half[]) => all.filter(({ systems }) => systems.includes(values.system));
  const queues = possible(tables.queues);
  const placements = possible(tables.placements);
  const chosen = () => `${chosenOf(queues, queue)}+${chosenOf(placements, placement)}`;
  const follow = () => {
    changed.value += 1;
  };
  const { complaint, invalid } = useComplaint(of);
  const write = (all: string[]) => enter(of, all.join(','));
  const remove = (value: string) => {
    write(present.filter((each) => each !== value));
    add.current?.focus();
  };
  return (
    <div class="field wide" data-key={name} hidden={!relevant.includes(name)}>
      <ul class="policies">
        <PolicyList policies={policies} styles={tables.styles} remove={remove} makeOwn={makeOwn} />
      </ul>
      <div class="pair">
        <HalfChoice
          term="queue:"
          label={formTexts.queue}
          all={queues}
          list={queue}
          follow={follow}
          invalid={invalid}
        />
        <HalfChoice
          term="placement:"
          label={formTexts.placement}
          all={placements}
          list={placement}
          follow={follow}
        />
        <button
          ref={add}
          type="button"
          disabled={present.includes(chosen())}
          onClick={() => write([...present, chosen()])}
        >
          {formTexts.addPolicy}
        </button>
      </div>
      <p class="wrong" id={`field-${name}-wrong`}>
        {complaint}
      </p>
    </div>
  );
}

/** A scheduling policy or a placement. */
type Half = Tables['queues'][number];
type List = RefObject<HTMLSelectElement | null>;

interface HalfParts {
  term: string;
  label: string;
  all: Half[];
  list: List;
  follow: () => void;
  invalid?: ReadonlySignal<'true' | undefined>;
}

function HalfChoice({ term, label, all, list, follow, invalid }: HalfParts) {
  return (
    <select
      aria-label={label}
      aria-invalid={invalid}
      data-term={term}
      ref={list}
      value={chosenOf(all, list)}
      onChange={follow}
    >
      {all.map(({ value, label: words }) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}

/** What is chosen, as long as it is possible; else the first. */
function chosenOf(all: Half[], { current }: List) {
  return (all.find(({ value }) => value === current?.value) ?? all[0])?.value ?? '';
}
