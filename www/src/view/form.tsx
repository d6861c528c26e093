/**
 * The scenario as a form, drawn from the core's table of keys. Entries go to `entries` as text; the
 * core checks them, and its messages are shown beside the fields.
 */
import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { byId } from '../dom.ts';
import { mount } from '../mount.ts';
import { reading, validReading } from '../state.ts';
import { formTexts } from '../texts/form.ts';
import { breath } from '../worker/protocol.ts';
import { ChoiceField, ReferenceField, TextField } from './field.tsx';
import { PoliciesField } from './policies-field.tsx';
import { SweepField } from './sweep-field.tsx';
import { TraceField } from './trace.tsx';
import type { ReadonlySignal } from '@preact/signals';
import type { Key, Tables } from '../../pkg/backfill_web.js';
import type { Entries } from '../state.ts';

/** What the form needs. */
export interface FormParts {
  newSeed: () => string;
  /** Shows the report on the trace. */
  examine: () => void;
  /** Turns a policy, by its position, into the user's own. */
  makeOwn: (place: number) => void;
  /** Computes the answers to other entries ahead. */
  lookAhead: (all: Entries[]) => void;
}

/** The kinds of keys without a field: the hash comes from the file, a metric from each chart. */
const UNSEEN = ['sha256', 'metric'];

/** Draws the form, group by group, so that no task is long. */
export async function form(tables: Tables, parts: FormParts) {
  const box = byId('form');
  box.onsubmit = (event) => event.preventDefault();
  const drawn = signal(0);
  mount(<Form tables={tables} parts={parts} drawn={drawn} />, box);
  while (drawn.peek() < tables.groups.length) {
    drawn.value += 1;
    await breath();
  }
  reading.subscribe((now) => {
    for (const { key } of now?.problems ?? []) {
      const fold = box.querySelector(`[data-key="${key}"]`)?.closest('details');
      if (fold) fold.open = true;
    }
  });
}

interface WholeForm {
  tables: Tables;
  parts: FormParts;
  /** How many of its groups are drawn. */
  drawn: ReadonlySignal<number>;
}

function Form({ tables, parts, drawn }: WholeForm) {
  const groups = useMemo(
    () =>
      tables.groups.map(({ name, label }) => (
        <Group key={name} name={name} label={label} tables={tables} parts={parts} />
      )),
    [],
  );
  return groups.slice(0, drawn.value);
}

interface GroupParts {
  name: string;
  label: string;
  tables: Tables;
  parts: FormParts;
}

function Group({ name, label, tables, parts }: GroupParts) {
  const { relevant } = validReading.value;
  const keys = tables.keys.filter(({ group, kind }) => group === name && !UNSEEN.includes(kind));
  const others = keys.filter(({ essential }) => !essential);
  const fields = (of: Key[]) =>
    of.map((key) => <KeyField key={key.name} of={key} tables={tables} parts={parts} />);
  return (
    <fieldset class="group" data-group={name}>
      <legend>{label}</legend>
      {fields(keys.filter(({ essential }) => essential))}
      <details class="more" hidden={!others.some((key) => relevant.includes(key.name))}>
        <summary>{formTexts.more}</summary>
        {fields(others)}
      </details>
    </fieldset>
  );
}

function KeyField({ of, tables, parts }: { of: Key; tables: Tables; parts: FormParts }) {
  switch (of.kind) {
    case 'choice':
      return <ChoiceField of={of} />;
    case 'text':
      return <TextField of={of} {...parts} />;
    case 'policies':
      return <PoliciesField of={of} tables={tables} makeOwn={parts.makeOwn} />;
    case 'reference':
      return <ReferenceField of={of} />;
    case 'sweep':
      return <SweepField of={of} tables={tables} />;
    default:
      return <TraceField of={of} examine={parts.examine} />;
  }
}
