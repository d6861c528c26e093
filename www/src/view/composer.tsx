/** The dialog of the composer; own-policy.ts keeps what is entered. */
import { reading } from '../state.ts';
import { ownTexts } from '../texts/own.ts';
import { addDialog } from './dialog.tsx';
import { PartField } from './own-part.tsx';
import { Composing } from './own-policy.ts';
import type { Composer } from '../../pkg/backfill_web.js';
import type { ComposerParts } from './own-policy.ts';

/**
 * @returns opens the dialog on a policy of the scenario, by its position, with its order left empty
 * if that is the user's task
 */
export function composer(parts: ComposerParts): (place: number, isTask: boolean) => Promise<void> {
  const state = new Composing(parts);
  const dialog = addDialog(<ComposerDialog state={state} close={() => dialog.close()} />);
  return async (place, isTask) => {
    const now = reading.peek();
    const policy = now?.policies[place];
    if (now === null || policy === undefined || dialog.open) return;
    state.begin(policy);
    dialog.showModal();
    try {
      await state.fetch(now.text, place, isTask);
    } catch (error) {
      dialog.close();
      throw error;
    }
    focusFirst(dialog);
  };
}

/** Goes to the first part: the formula if there is one. */
function focusFirst(dialog: Element) {
  const part = dialog.querySelector('.part');
  const control =
    part?.querySelector<HTMLElement>('.formula:not([hidden]) textarea') ??
    part?.querySelector<HTMLElement>('select, input');
  control?.focus();
}

interface ComposerDialogParts {
  state: Composing;
  close: () => void;
}

function ComposerDialog({ state, close }: ComposerDialogParts) {
  const offer = state.offer.value;
  const { words, isWrong } = state.status.value;
  return (
    <dialog class="composer" aria-labelledby="composer-title">
      <h2 id="composer-title">{ownTexts.title}</h2>
      <p class="soft">{state.from}</p>
      <div class="compose">
        <div class="parts">
          {offer !== null && <Parts state={state} offer={offer} close={close} />}
          {offer !== null && <NameField state={state} close={close} />}
        </div>
        <aside class="language">{offer !== null && <Language state={state} offer={offer} />}</aside>
      </div>
      <p class="example">{state.example}</p>
      <p class={isWrong ? 'told wrong' : 'told'} role="status">
        {words}
      </p>
      <Buttons state={state} close={close} />
    </dialog>
  );
}

/** Closes the dialog, and goes to the button of the composed policy in the form. */
function arriveAt(place: number, close: () => void) {
  close();
  const rows = document.querySelectorAll<HTMLElement>('.policies .own');
  rows[place]?.focus();
}

function Parts({ state, offer, close }: ComposerDialogParts & { offer: Composer }) {
  const values = state.own.value?.parts ?? [];
  const judged = state.judged.value;
  return offer.fields.map((field, place) => (
    <PartField
      key={field.name}
      field={field}
      presets={offer.presets}
      value={values[place] ?? ''}
      judged={judged}
      change={(value) => state.enter(place, value)}
      write={(formula) => {
        state.writing = formula;
      }}
      accept={() => accept(state, close)}
    />
  ));
}

/** Adds the policy, if it can be added. */
function accept(state: Composing, close: () => void) {
  if (state.canAdd.peek()) state.add((place) => arriveAt(place, close));
}

/** What the policy is called. */
function NameField({ state, close }: ComposerDialogParts) {
  const wrong = state.judged.value?.mistakes.find(({ key }) => key === 'name')?.why;
  return (
    <div class="part" data-part="name">
      <label for="own-name">{ownTexts.name}</label>
      <input
        id="own-name"
        type="text"
        spellcheck={false}
        autocomplete="off"
        aria-describedby="own-name-help own-name-wrong"
        aria-invalid={wrong === undefined ? undefined : true}
        value={state.own.value?.name ?? ''}
        onInput={({ currentTarget }) => state.change({ name: currentTarget.value })}
        onKeyDown={({ key, isComposing }) => {
          if (key === 'Enter' && !isComposing) accept(state, close);
        }}
      />
      <p class="wrong" id="own-name-wrong" role="status">
        {wrong}
      </p>
      <p class="soft" id="own-name-help">
        {ownTexts.nameHelp}
      </p>
    </div>
  );
}

function Buttons({ state, close }: ComposerDialogParts) {
  const isWithout = state.composed.value === '';
  const taken = (place: number) => arriveAt(place, close);
  const { label } = state.started.value;
  return (
    <div class="buttons">
      <button
        type="button"
        disabled={state.own.value === null}
        onClick={({ currentTarget }) => {
          state.startOver();
          const dialog = currentTarget.closest('dialog');
          if (dialog !== null) focusFirst(dialog);
        }}
      >
        {ownTexts.startOver}
      </button>
      <button type="button" onClick={close}>
        {ownTexts.close}
      </button>
      <button type="button" disabled={isWithout} onClick={() => state.replace(taken)}>
        {label !== '' && ownTexts.replace(label)}
      </button>
      <button
        type="button"
        class="primary"
        disabled={!state.canAdd.value}
        onClick={() => state.add(taken)}
      >
        {ownTexts.add}
      </button>
    </div>
  );
}

/** The names and functions of formulas, each a button that inserts it. */
function Language({ state, offer }: { state: Composing; offer: Composer }) {
  const { names, functions, operators } = offer;
  return (
    <>
      <h3>{ownTexts.names}</h3>
      <ul>
        {names.map(({ value, help }) => (
          <li key={value}>
            <Insert state={state} label={value} text={value} caret={value.length} />
            <span>{help}</span>
          </li>
        ))}
      </ul>
      <h3>{ownTexts.functions}</h3>
      <div class="functions">
        {functions.map(({ name, many }) => (
          <Insert
            key={name}
            state={state}
            label={`${name}(${many ? 'a, b' : 'a'})`}
            text={`${name}()`}
            caret={name.length + 1}
          />
        ))}
      </div>
      <p class="soft">
        {ownTexts.operators(operators)} {ownTexts.insert}
      </p>
    </>
  );
}

interface InsertParts {
  state: Composing;
  label: string;
  text: string;
  /** The position of the caret afterwards. */
  caret: number;
}

/** A button that inserts something into the formula. */
function Insert({ state, label, text, caret }: InsertParts) {
  const insert = () => {
    const { writing } = state;
    if (writing === null) return;
    const at = writing.selectionStart;
    writing.setRangeText(text, at, writing.selectionEnd, 'end');
    writing.setSelectionRange(at + caret, at + caret);
    writing.focus();
    writing.dispatchEvent(new Event('input', { bubbles: true }));
  };
  return (
    <button type="button" onClick={insert}>
      <code>{label}</code>
    </button>
  );
}
