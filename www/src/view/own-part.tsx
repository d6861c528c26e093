/** A part of a policy of one's own: a choice, a number, or an order. */
import { batch, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { glossaryTexts } from '../texts/glossary.ts';
import { jobsTexts } from '../texts/jobs.ts';
import { ownTexts } from '../texts/own.ts';
import type { ComponentChildren } from 'preact';
import type { Composer, Judged } from '../../pkg/backfill_web.js';

type Field = Composer['fields'][number];
type Mistake = Judged['mistakes'][number];

interface PartFieldParts {
  field: Field;
  /** The orders that have a name. */
  presets: Composer['presets'];
  value: string;
  /** The last verdict. */
  judged: Judged | null;
  change: (value: string) => void;
  /** Called with the formula in which the user writes. */
  write: (formula: HTMLTextAreaElement) => void;
  /** Takes what is entered. */
  accept: () => void;
}

export function PartField(parts: PartFieldParts) {
  if (parts.field.choices.length > 0) return <ChoicePart {...parts} />;
  return parts.field.unit === '' ? <OrderPart {...parts} /> : <NumberPart {...parts} />;
}

interface RowParts {
  field: Field;
  judged: Judged | null;
  /** What is wrong with it. */
  wrong: string;
  /** Its control, and what stands below that. */
  children: ComponentChildren;
}

/** The row of a part: label, control, what is wrong, and help. */
function Row({ field: { name, label, help }, judged, wrong, children }: RowParts) {
  const isRelevant = judged === null || judged.relevant.includes(name);
  return (
    <div class="part" data-part={name} hidden={!isRelevant}>
      <label for={`own-${name}`}>{label}</label>
      {children}
      <p class="wrong" id={`own-${name}-wrong`} role="status">
        {wrong}
      </p>
      <p class="soft" id={`own-${name}-help`}>
        {help}
      </p>
    </div>
  );
}

/** What the control of a row is called, and described by. */
function named({ name }: Field) {
  return { id: `own-${name}`, 'aria-describedby': `own-${name}-help own-${name}-wrong` };
}

function mistakeOf(field: Field, judged: Judged | null) {
  return judged?.mistakes.find(({ key }) => key === field.name) ?? null;
}

function ChoicePart({ field, value, judged, change }: PartFieldParts) {
  return (
    <Row field={field} judged={judged} wrong="">
      <select
        {...named(field)}
        value={value}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      >
        {field.choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </Row>
  );
}

function NumberPart({ field, value, judged, change }: PartFieldParts) {
  const mistake = mistakeOf(field, judged);
  return (
    <Row field={field} judged={judged} wrong={mistake?.why ?? ''}>
      <input
        {...named(field)}
        type="text"
        spellcheck={false}
        autocomplete="off"
        value={value}
        aria-invalid={mistake === null ? undefined : true}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </Row>
  );
}

/** An order: a named one, or a formula. */
function OrderPart(parts: PartFieldParts) {
  const { field, presets, value, judged, change } = parts;
  // The default of an order beside another one means that one.
  const isNamed = presets.some(({ name }) => name === field.default);
  const isDefault = !isNamed && value === field.default;
  const known = presets.find(({ name, formula }) => [name, formula].includes(value));
  const mistake = mistakeOf(field, judged);
  return (
    <Row
      field={field}
      judged={judged}
      wrong={mistake === null ? '' : ownTexts.mistake(mistake.column, mistake.why)}
    >
      <select
        {...named(field)}
        value={isDefault ? value : (known?.name ?? '')}
        onChange={({ currentTarget }) => {
          // A user's formula starts with the current one.
          if (currentTarget.value !== '') change(currentTarget.value);
        }}
      >
        {!isNamed && <option value={field.default}>{ownTexts.same}</option>}
        {presets.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
        <option value="">{ownTexts.ofOwn}</option>
      </select>
      <Formula
        {...parts}
        isHidden={isDefault}
        mistake={mistake}
        text={known !== undefined && value === known.name ? known.formula : value}
      />
      <p class="soft" hidden={known === undefined}>
        {known !== undefined && glossaryTexts.source(known.source)}
      </p>
    </Row>
  );
}

interface FormulaParts extends PartFieldParts {
  isHidden: boolean;
  mistake: Mistake | null;
  text: string;
}

/** A field for a formula; a text field cannot mark a part of its text, so that is done beneath it. */
function Formula({ isHidden, mistake, text, ...parts }: FormulaParts) {
  const { field, judged, change, write, accept } = parts;
  /** The verdict on what was written before. */
  const outdated = useSignal<Judged | null>(null);
  const lastText = useRef('');
  if (!isHidden) lastText.current = text;
  const isMarked = mistake !== null && outdated.value !== judged;
  return (
    <div class="formula underlined" hidden={isHidden}>
      <div class="beneath" aria-hidden="true">
        {isMarked ? <Marked text={lastText.current} mistake={mistake} /> : `${lastText.current} `}
      </div>
      <textarea
        rows={1}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="none"
        placeholder={jobsTexts.orderExample}
        aria-label={`${field.label}: ${ownTexts.formula.toLowerCase()}`}
        aria-describedby={`own-${field.name}-wrong`}
        // An empty formula shows no mistake.
        aria-invalid={mistake === null || lastText.current.trim() === '' ? undefined : true}
        value={lastText.current}
        onInput={({ currentTarget }) => {
          // A formula is one line, also where it was pasted from several.
          const formula = currentTarget.value.replace(/[\r\n]+/g, ' ');
          // Together, or the field is drawn with what it had before.
          batch(() => {
            outdated.value = judged;
            change(formula);
          });
        }}
        onFocus={({ currentTarget }) => write(currentTarget)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.isComposing) return;
          event.preventDefault();
          accept();
        }}
      />
    </div>
  );
}

/** A formula with its mistake underlined. */
function Marked({ text, mistake: { column, end } }: { text: string; mistake: Mistake }) {
  const letters = [...text];
  const [from, until] = [column - 1, Math.max(end - 1, column)];
  const marked = letters.slice(from, until).join('');
  return (
    <>
      {letters.slice(0, from).join('')}
      <mark>{marked === '' ? '\u00a0' : marked}</mark>
      {`${letters.slice(until).join('')} `}
    </>
  );
}
