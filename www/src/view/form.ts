/**
 * The scenario as a form, drawn from the core's table of keys. Entries go to `entries` as text; the
 * core checks them, and its messages are shown beside the fields.
 */
import { byId, make } from '../dom.ts';
import { entries, reading } from '../state.ts';
import { formTexts } from '../texts/form.ts';
import { enter, fill, wrap } from './field.ts';
import { policies } from './policies-field.ts';
import { slider } from './slider.ts';
import type { Key, Tables } from '../../pkg/backfill_web.js';
import type { Entries, Reading } from '../state.ts';
import type { Field } from './field.ts';

/** What the form needs. */
interface Parts {
  newSeed: () => string;
  traceField: HTMLElement;
  /** Turns a policy, by its position, into the user's own. */
  makeOwn: (place: number) => void;
  /** Computes the answers to other entries ahead. */
  lookAhead: (all: Entries[]) => void;
}

export function form(tables: Tables, parts: Parts) {
  const box = byId('form');
  const fields = new Map<string, Field>();
  const folds: (() => void)[] = [];
  for (const group of tables.groups) {
    const set = make(
      'fieldset',
      { class: 'group', 'data-group': group.name },
      make('legend', {}, group.label),
    );
    const more = make('details', { class: 'more' }, make('summary', {}, formTexts.more));
    for (const key of tables.keys.filter((each) => each.group === group.name)) {
      const field = draw(key, tables, parts);
      if (field === null) continue;
      fields.set(key.name, field);
      (key.essential ? set : more).append(field.row);
    }
    set.append(more);
    // A fold without visible fields is hidden.
    folds.push(() => {
      more.hidden = [...more.children].every(
        (child) => child.tagName === 'SUMMARY' || (child as HTMLElement).hidden,
      );
    });
    box.append(set);
  }
  box.onsubmit = (event) => event.preventDefault();

  reading.subscribe((now) => {
    if (now === null) return;
    const well = now.problems.length === 0;
    for (const [name, { row, show }] of fields) {
      if (well) {
        row.hidden = !now.relevant.includes(name);
        show(now);
      }
      complain(
        row,
        now.problems.filter((problem) => problem.key === name).map((problem) => problem.message),
      );
    }
    for (const fold of folds) fold();
    for (const problem of now.problems) {
      const fold = fields.get(problem.key ?? '')?.row.closest('details');
      if (fold) fold.open = true;
    }
  });
}

/** Shows the problems of a field's value. */
function complain(row: HTMLElement, messages: string[]) {
  const control = row.querySelector('input, select');
  if (messages.length > 0) control?.setAttribute('aria-invalid', 'true');
  else control?.removeAttribute('aria-invalid');
  const wrong = row.querySelector('.wrong');
  if (wrong) wrong.textContent = messages.join(' ');
}

function draw(
  key: Key,
  tables: Tables,
  { newSeed, traceField, makeOwn, lookAhead }: Parts,
): Field | null {
  switch (key.kind) {
    case 'choice':
      return choice(key);
    case 'text':
      return key.name === 'seed' ? seed(key, newSeed) : text(key, lookAhead);
    case 'policies':
      return policies(key, tables, makeOwn);
    case 'reference':
      return reference(key);
    case 'sweep':
      return sweep(key, tables);
    case 'file':
      return {
        row: make('div', { class: 'field wide', 'data-key': key.name }, traceField),
        show: () => {},
      };
    default:
      // The hash comes from the file itself, and each chart has its own choice of metric.
      return null;
  }
}

function choice(key: Key): Field {
  const select = make(
    'select',
    {},
    ...key.choices.map((each) => new Option(each.label, each.value)),
  );
  select.onchange = () => {
    // Each system has placements of its own, and its own default policies.
    enter(key, select.value, key.name === 'system' ? ['policy'] : []);
  };
  return { row: wrap(key, select), show: (now) => fill(select, key, now) };
}

/** @param lookAhead for a key that may have a slider */
function text(key: Key, lookAhead: Parts['lookAhead'] = () => {}): Field {
  const input = make('input', { type: 'text', spellcheck: false });
  input.oninput = () => enter(key, input.value);
  const mover = slider(key, (value) => enter(key, value), lookAhead);
  const show = (now: Reading) => {
    fill(input, key, now);
    mover?.show(now);
  };
  input.onblur = () => {
    const now = reading.peek();
    if (now?.problems.length === 0) show(now);
  };
  const long = key.choices.length === 0 && key.default.includes(':');
  const row = wrap(key, input, long);
  if (mover !== null) input.after(mover.element);
  return { row, show };
}

function seed(key: Key, newSeed: () => string): Field {
  const field = text(key);
  const input = field.row.querySelector('input') as HTMLInputElement;
  const renew = make(
    'button',
    { type: 'button', onclick: () => enter(key, newSeed()) },
    formTexts.newSeed,
  );
  const both = make('div', { class: 'with-button' });
  input.replaceWith(both);
  both.append(input, renew);
  return field;
}

function reference(key: Key): Field {
  const select = make('select');
  select.onchange = () => enter(key, select.value);
  return {
    row: wrap(key, select, true),
    show: (now) => {
      select.replaceChildren(
        make('option', { value: key.default }, formTexts.firstPolicy),
        ...now.policies.map((policy) => make('option', { value: policy.value }, policy.label)),
      );
      select.value = now.values[key.name];
    },
  };
}

/** A swept key: its choice, and its values. */
function sweep(key: Key, tables: Tables): Field {
  const which = make('select');
  const values = make('input', {
    type: 'text',
    spellcheck: false,
    'aria-label': `${key.label}: ${formTexts.sweepValues}`,
  });
  const box = make('div', { class: 'sweep' }, which, values);
  const none = 'none';
  const write = () => {
    const text = which.value === none ? none : `${which.value}:${values.value}`;
    const next = { ...entries.peek() };
    // A key is either swept or set.
    delete next[which.value];
    if (text === key.default) delete next[key.name];
    else next[key.name] = text;
    entries.value = next;
  };
  which.onchange = () => {
    const swept = tables.keys.find((each) => each.name === which.value);
    const now = reading.peek()?.values[which.value] ?? swept?.default ?? '';
    values.value =
      swept && swept.choices.length > 0 ? swept.choices.map((each) => each.value).join(',') : now;
    values.hidden = which.value === none;
    write();
  };
  values.oninput = write;
  return {
    row: wrap(key, box, true),
    show: (now) => {
      const entered = entries.peek()[key.name] ?? key.default;
      const typing =
        document.activeElement === values && entered === `${which.value}:${values.value}`;
      const offered = tables.keys.filter((each) => each.sweep && now.relevant.includes(each.name));
      which.replaceChildren(
        make('option', { value: none }, formTexts.sweepNone),
        ...offered.map((each) => make('option', { value: each.name }, each.label)),
      );
      const [name, ...rest] = now.values[key.name].split(':');
      which.value = name;
      values.hidden = name === none;
      if (!typing) values.value = rest.join(':');
    },
  };
}
