/** The fields of the form. While an entry is no scenario they show what they showed before. */
import { useComputed, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { entries, reading, validReading } from '../state.ts';
import { formTexts } from '../texts/form.ts';
import { Slider } from './slider.tsx';
import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Key } from '../../pkg/backfill_web.js';
import type { FormParts } from './form.tsx';

/** Sets the text of a key, and resets other keys; the default is the same as none. */
export function enter(key: Key, text: string, resets: string[] = []) {
  const next = { ...entries.peek() };
  for (const name of resets) delete next[name];
  const entry = entryOf(key, text);
  if (entry === undefined) delete next[key.name];
  else next[key.name] = entry;
  entries.value = next;
}

/** The entry of a key for a text; undefined for its default, or an empty text. */
function entryOf(key: Key, text: string) {
  return text.trim() === '' || text.trim() === key.default ? undefined : text;
}

/** What is wrong with the value of a key, in words, and the attribute of its control for that. */
export function useComplaint({ name }: Key) {
  const complaint = useComputed(() => {
    const problems = reading.value?.problems.filter(({ key }) => key === name) ?? [];
    return problems.map(({ message }) => message).join(' ');
  });
  const invalid = useComputed(() => (complaint.value === '' ? undefined : 'true'));
  return { complaint, invalid };
}

/** The attributes that connect the control of a key with its row. */
export function named({ name }: Key) {
  return { id: `field-${name}`, 'aria-describedby': `field-${name}-wrong` };
}

interface RowParts {
  of: Key;
  complaint: ReadonlySignal<string>;
  wide?: boolean;
  hint?: string;
  children: ComponentChildren;
}

/** The row of a field: label, control, and its problems. */
export function Row({ of, complaint, wide, hint, children }: RowParts) {
  const { name, label, unit } = of;
  return (
    <div
      class={wide ? 'field wide' : 'field'}
      data-key={name}
      data-term={`key:${name}`}
      data-hint={hint}
      hidden={!validReading.value.relevant.includes(name)}
    >
      <label class="label" for={`field-${name}`}>
        {label}
        {unit && ' '}
        {unit && <span class="unit">{unit}</span>}
      </label>
      {children}
      <p class="wrong" id={`field-${name}-wrong`}>
        {complaint}
      </p>
    </div>
  );
}

/** The values of a key if it is swept: then it has none of its own. */
function sweptValues({ name }: Key) {
  const { x, y } = validReading.value;
  return [x, y].find((axis) => axis?.key === name)?.values;
}

export function ChoiceField({ of }: { of: Key }) {
  const { complaint, invalid } = useComplaint(of);
  const swept = sweptValues(of);
  // Each system has placements of its own, and its own default policies.
  const resets = of.name === 'system' ? ['policy'] : [];
  return (
    <Row of={of} complaint={complaint} hint={swept ? formTexts.swept(swept) : ''}>
      <select
        {...named(of)}
        aria-invalid={invalid}
        disabled={swept !== undefined}
        value={validReading.value.values[of.name]}
        onChange={({ currentTarget }) => enter(of, currentTarget.value, resets)}
      >
        {of.choices.map(({ label, value }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Row>
  );
}

interface TextParts extends Pick<FormParts, 'newSeed' | 'lookAhead'> {
  of: Key;
}

/** A text, with what helps to enter one: a button for a new seed, a slider for some keys. */
export function TextField({ of, newSeed, lookAhead }: TextParts) {
  const { complaint, invalid } = useComplaint(of);
  const swept = sweptValues(of);
  const input = useRef<HTMLInputElement>(null);
  const left = useSignal(0);
  // Subscribes: a field that is left shows its value as the core writes it.
  left.value;
  const text = swept ? formTexts.sweptShort : validReading.value.values[of.name];
  const field = (
    <input
      {...named(of)}
      aria-invalid={invalid}
      ref={input}
      type="text"
      spellcheck={false}
      disabled={swept !== undefined}
      value={isBeingTyped(of, input.current) ? input.current.value : text}
      onInput={({ currentTarget }) => enter(of, currentTarget.value)}
      onBlur={() => {
        left.value += 1;
      }}
    />
  );
  const isLong = of.choices.length === 0 && of.default.includes(':');
  return (
    <Row of={of} complaint={complaint} wide={isLong} hint={swept ? formTexts.swept(swept) : ''}>
      {of.name === 'seed' ? (
        <div class="with-button">
          {field}
          <button type="button" onClick={() => enter(of, newSeed())}>
            {formTexts.newSeed}
          </button>
        </div>
      ) : (
        field
      )}
      <Slider of={of} hidden={swept !== undefined} lookAhead={lookAhead} />
    </Row>
  );
}

/**
 * Whether a field keeps its text: as long as the entries are no scenario, and while the user types
 * it. The typed text is the entry, unless a file, a link or an undo has replaced it.
 */
function isBeingTyped(of: Key, input: HTMLInputElement | null): input is HTMLInputElement {
  if (input === null) return false;
  if (reading.peek() !== validReading.peek()) return true;
  return document.activeElement === input && entries.peek()[of.name] === entryOf(of, input.value);
}

/** The policy that others are compared with. */
export function ReferenceField({ of }: { of: Key }) {
  const { complaint, invalid } = useComplaint(of);
  const { policies, values } = validReading.value;
  return (
    <Row of={of} complaint={complaint} wide>
      <select
        {...named(of)}
        aria-invalid={invalid}
        value={values[of.name]}
        onChange={({ currentTarget }) => enter(of, currentTarget.value)}
      >
        <option value={of.default}>{formTexts.firstPolicy}</option>
        {policies.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Row>
  );
}
