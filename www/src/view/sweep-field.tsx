import { signal } from '@preact/signals';
import { createRef } from 'preact';
import { useMemo } from 'preact/hooks';
import { entries, validReading } from '../state.ts';
import { formTexts } from '../texts/form.ts';
import { Row, named, useComplaint } from './field.tsx';
import type { Key, Tables } from '../../pkg/backfill_web.js';

/** The value of a sweep of nothing. */
const NONE = 'none';

/** A swept key: its choice, and its values. */
export function SweepField({ of, tables }: { of: Key; tables: Tables }) {
  const { swept, values, input, choose, type } = useMemo(() => new Sweep(of, tables), []);
  const { complaint, invalid } = useComplaint(of);
  const { relevant } = validReading.value;
  return (
    <Row of={of} complaint={complaint} wide>
      <div class="sweep">
        <select
          {...named(of)}
          aria-invalid={invalid}
          value={swept.value}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          <option value={NONE}>{formTexts.sweepNone}</option>
          {tables.keys
            .filter(({ sweep, name }) => sweep && relevant.includes(name))
            .map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
        </select>
        <input
          ref={input}
          type="text"
          spellcheck={false}
          aria-label={`${of.label}: ${formTexts.sweepValues}`}
          hidden={swept.value === NONE}
          value={values}
          onInput={({ currentTarget }) => type(currentTarget.value)}
        />
      </div>
    </Row>
  );
}

/** What a field of a sweep shows, which is not always a scenario. */
class Sweep {
  /** The name of the swept key, and its values. */
  readonly swept = signal(NONE);
  readonly values = signal('');
  readonly input = createRef<HTMLInputElement>();
  readonly #of: Key;
  readonly #tables: Tables;

  constructor(of: Key, tables: Tables) {
    this.#of = of;
    this.#tables = tables;
    validReading.subscribe((now) => {
      const entered = entries.peek()[of.name] ?? of.default;
      const isTyping =
        this.input.current !== null &&
        document.activeElement === this.input.current &&
        entered === this.#text();
      const [name, ...rest] = now.values[of.name].split(':');
      this.swept.value = name;
      if (!isTyping) this.values.value = rest.join(':');
    });
  }

  /** Sweeps another key: over all its choices, or over its value, to which others can be added. */
  readonly choose = (name: string) => {
    const key = this.#tables.keys.find((each) => each.name === name);
    const choices = key?.choices.map(({ value }) => value) ?? [];
    const value = validReading.peek().values[name] ?? key?.default ?? '';
    this.swept.value = name;
    this.values.value = choices.length > 0 ? choices.join(',') : value;
    this.#write();
  };

  readonly type = (values: string) => {
    this.values.value = values;
    this.#write();
  };

  #text() {
    const swept = this.swept.peek();
    return swept === NONE ? NONE : `${swept}:${this.values.peek()}`;
  }

  #write() {
    const next = { ...entries.peek() };
    // A key is either swept or set.
    delete next[this.swept.peek()];
    if (this.#text() === this.#of.default) delete next[this.#of.name];
    else next[this.#of.name] = this.#text();
    entries.value = next;
  }
}
