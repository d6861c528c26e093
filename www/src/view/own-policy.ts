/**
 * The composer: a dialog in which a user composes a policy from the parts of another one. The core
 * provides the choices and checks the entries; none of them is known here.
 */
import { make } from '../dom.ts';
import { span } from '../format.ts';
import { latest } from '../latest.ts';
import { clock, entries, kept, reading } from '../state.ts';
import { glossaryTexts } from '../texts/glossary.ts';
import { jobsTexts } from '../texts/jobs.ts';
import { ownTexts } from '../texts/own.ts';
import { Cancelled, Refused } from '../worker/worker-client.ts';
import { orderedInRun, valuesOf } from './ordered.ts';
import type { Composer, Examples, Judged, OwnPolicy } from '../../pkg/backfill_web.js';
import type { Tables } from '../state.ts';
import type { WorkerClient } from '../worker/worker-client.ts';

type Field = Composer['fields'][number];
type Part = {
  row: HTMLElement;
  show: (value: string) => void;
  complain: (mistake: Judged['mistakes'][number] | null) => void;
  focus: () => void;
};

/** The number of jobs for which the values of an order are shown. */
const EXAMPLES = 3;

interface ComposerParts {
  /** Returns the worker that checks. */
  startedExportWorker: () => WorkerClient;
  /** The worker that keeps the opened run. */
  replayWorker: WorkerClient;
  keys: Tables['keys'];
  /** Runs the scenario. */
  run: () => void;
}

/**
 * @returns opens the dialog on a policy of the scenario, by its position, with its order left empty
 * if that is the user's task
 */
export function composer({
  startedExportWorker,
  replayWorker,
  keys,
  run,
}: ComposerParts): (place: number, isTask: boolean) => Promise<void> {
  const said = ownTexts;
  const nameOf = (kind: string) => keys.find((key) => key.kind === kind)?.name ?? '';
  const [policiesKey, referenceKey] = ['policies', 'reference'].map(nameOf);
  /** Entries that were not added yet, by the policy that they started from. */
  const drafts = new Map<string, OwnPolicy>();

  const from = make('p', { class: 'soft' });
  const fields = make('div', { class: 'parts' });
  const about = make('aside', { class: 'language' });
  const example = make('p', { class: 'example' });
  const status = make('p', { class: 'told', role: 'status' });
  const add = make('button', { type: 'button', class: 'primary' }, said.add);
  const replace = make('button', { type: 'button' });
  const startOver = make('button', { type: 'button' }, said.startOver);
  const dialog = make(
    'dialog',
    { class: 'composer', 'aria-labelledby': 'composer-title' },
    make('h2', { id: 'composer-title' }, said.title),
    from,
    make('div', { class: 'compose' }, fields, about),
    example,
    status,
    make(
      'div',
      { class: 'buttons' },
      startOver,
      make('button', { type: 'button', onclick: () => dialog.close() }, said.close),
      replace,
      add,
    ),
  );
  document.body.append(dialog);

  /** The value and label of the policy it starts from. */
  let started = { value: '', label: '' };
  let draft = '';
  let offer: Composer | null = null;
  let own: OwnPolicy | null = null;
  let parts: Part[] = [];
  /** The last checked policy. */
  let judgedOwn: OwnPolicy | null = null;
  /** The value of that policy; empty if it cannot be added. */
  let composed = '';
  /** What to do with the entries as soon as they are checked. */
  let wanted: (() => void) | null = null;
  /** The formula into which names are inserted. */
  let writing: HTMLTextAreaElement | null = null;

  const judge = latest(async () => {
    if (own === null || offer === null) return;
    const mine = own;
    try {
      const judged = await startedExportWorker().ask('judge', {
        scenario: reading.get()?.text ?? '',
        own: mine,
      });
      const words = await exampleOf(mine.parts[0], judged);
      if (mine === own) show(judged, words);
    } catch (error) {
      if (error instanceof Cancelled) return;
      composed = '';
      add.disabled = replace.disabled = true;
      status.textContent = said.failed(error instanceof Error ? error.message : String(error));
    }
  });

  /** @param words the values of the order for some jobs */
  function show(judged: Judged, words: string) {
    offer?.fields.forEach(({ name }, place) => {
      parts[place].complain(judged.mistakes.find(({ key }) => key === name) ?? null);
      parts[place].row.hidden = !judged.relevant.includes(name);
    });
    status.textContent = judged.present
      ? `${judged.told} ${said.present}`
      : judged.told || judged.problems.join(' ');
    status.classList.toggle('wrong', judged.problems.length > 0);
    example.textContent = words;
    composed = judged.present ? '' : judged.value;
    add.disabled = replace.disabled = composed === '';
    judgedOwn = own;
    const act = wanted;
    wanted = null;
    act?.();
  }

  /**
   * The values of an order for some jobs of the opened run; without one, for the core's own
   * example.
   */
  async function exampleOf(order: string, { sample }: Judged) {
    if (sample.length === 0) return '';
    const open = kept.get();
    if (open?.deep) {
      try {
        const answers = await replayWorker.ask('look', {
          calls: [['examples', order, clock.get(), EXAMPLES]],
          number: open.number,
        });
        const [given] = (answers ?? []) as Examples[];
        if (given !== undefined && given.waiting > 0)
          return said.inRun(open.label, orderedInRun(given));
      } catch (error) {
        // Another run may be taking its place.
        if (!(error instanceof Cancelled || error instanceof Refused)) throw error;
      }
    }
    const jobs = [...sample].sort((one, other) => one.number - other.number);
    return said.inSample(
      jobs.map(({ number, size, estimate, wait }) =>
        said.sampleJob(number, said.slots(size), span(estimate), span(wait)),
      ),
      valuesOf(sample),
      sample[0].number,
    );
  }

  /** Gives a part another value. */
  function enter(place: number, value: string) {
    if (own === null) return;
    own = { ...own, parts: own.parts.map((each, at) => (at === place ? value : each)) };
    drafts.set(draft, own);
    fit();
  }

  /** Shows the values, and checks them. */
  function fit() {
    const values = own?.parts ?? [];
    for (const [place, part] of parts.entries()) part.show(values[place]);
    void judge();
  }

  /** Draws the parts and the language of formulas. */
  function draw(given: Composer) {
    parts = given.fields.map((field, place) => {
      const changed = (value: string) => enter(place, value);
      if (field.choices.length > 0) return choice(field, changed);
      return field.unit === '' ? order(field, given, changed) : number(field, changed);
    });
    fields.replaceChildren(...parts.map(({ row }) => row));
    const named = ({ value, help }: { value: string; help: string }) =>
      make('li', {}, inserting(value, value, value.length), make('span', {}, help));
    const called = ({ name, many }: Composer['functions'][number]) =>
      inserting(`${name}(${many ? 'a, b' : 'a'})`, `${name}()`, name.length + 1);
    about.replaceChildren(
      make('h3', {}, said.names),
      make('ul', {}, ...given.names.map(named)),
      make('h3', {}, said.functions),
      make('div', { class: 'functions' }, ...given.functions.map(called)),
      make('p', { class: 'soft' }, said.operators(given.operators), ' ', said.insert),
    );
  }

  /**
   * A button that inserts something into the formula.
   * @param caret its position afterwards
   */
  function inserting(label: string, text: string, caret: number) {
    const insert = () => {
      if (writing === null) return;
      const at = writing.selectionStart;
      writing.setRangeText(text, at, writing.selectionEnd, 'end');
      writing.setSelectionRange(at + caret, at + caret);
      writing.focus();
      writing.dispatchEvent(new Event('input', { bubbles: true }));
    };
    return make('button', { type: 'button', onclick: insert }, make('code', {}, label));
  }

  /** The row of a part. */
  function rowOf({ name, label, help }: Field, control: HTMLElement, ...more: HTMLElement[]) {
    control.id = `own-${name}`;
    control.setAttribute('aria-describedby', `own-${name}-help own-${name}-wrong`);
    const wrong = make('p', { class: 'wrong', id: `own-${name}-wrong`, role: 'status' });
    const row = make(
      'div',
      { class: 'part', 'data-part': name },
      make('label', { htmlFor: control.id }, label),
      control,
      ...more,
      wrong,
      make('p', { class: 'soft', id: `own-${name}-help` }, help),
    );
    return { row, wrong };
  }

  function choice(field: Field, changed: (value: string) => void): Part {
    const select = make(
      'select',
      {},
      ...field.choices.map(({ value, label }) => new Option(label, value)),
    );
    select.onchange = () => changed(select.value);
    const { row } = rowOf(field, select);
    return {
      row,
      show: (value) => {
        select.value = value;
      },
      complain: () => {},
      focus: () => select.focus(),
    };
  }

  function number(field: Field, changed: (value: string) => void): Part {
    const input = make('input', { type: 'text', spellcheck: false, autocomplete: 'off' });
    input.oninput = () => changed(input.value);
    const { row, wrong } = rowOf(field, input);
    return {
      row,
      show: (value) => {
        if (input.value !== value) input.value = value;
      },
      complain: (mistake) => {
        if (mistake === null) input.removeAttribute('aria-invalid');
        else input.setAttribute('aria-invalid', 'true');
        wrong.textContent = mistake?.why ?? '';
      },
      focus: () => input.focus(),
    };
  }

  /** An order: a named one, or a formula. */
  function order(field: Field, { presets }: Composer, changed: (value: string) => void): Part {
    // The default of an order beside another one means that one.
    const isNamed = presets.some(({ name }) => name === field.default);
    const select = make(
      'select',
      {},
      ...(isNamed ? [] : [new Option(said.same, field.default)]),
      ...presets.map(({ name, label }) => new Option(label, name)),
      new Option(said.ofOwn, ''),
    );
    const formula = make('textarea', {
      rows: 1,
      spellcheck: false,
      autocomplete: 'off',
      autocapitalize: 'none',
      placeholder: jobsTexts.orderExample,
      'aria-label': `${field.label}: ${said.formula.toLowerCase()}`,
      'aria-describedby': `own-${field.name}-wrong`,
    });
    // A text field cannot mark a part of its text: the mistake is underlined beneath it.
    const beneath = make('div', { class: 'beneath', 'aria-hidden': 'true' });
    const written = make('div', { class: 'formula' }, beneath, formula);
    const source = make('p', { class: 'soft' });
    const { row, wrong } = rowOf(field, select, written, source);
    let shown: Judged['mistakes'][number] | null = null;

    const underline = () => {
      const letters = [...formula.value];
      if (shown === null) {
        beneath.textContent = `${formula.value} `;
        return;
      }
      const [begin, end] = [shown.column - 1, Math.max(shown.end - 1, shown.column)];
      const marked = letters.slice(begin, end).join('');
      beneath.replaceChildren(
        letters.slice(0, begin).join(''),
        make('mark', {}, marked === '' ? '\u00a0' : marked),
        `${letters.slice(end).join('')} `,
      );
    };

    select.onchange = () => {
      // A user's formula starts with the current one.
      if (select.value !== '') changed(select.value);
    };
    formula.oninput = () => {
      // A formula is one line, also where it was pasted from several.
      if (/[\r\n]/.test(formula.value)) formula.value = formula.value.replace(/[\r\n]+/g, ' ');
      shown = null;
      underline();
      changed(formula.value);
    };
    formula.onfocus = () => {
      writing = formula;
    };
    formula.onkeydown = (event) => {
      if (event.key !== 'Enter' || event.isComposing) return;
      event.preventDefault();
      if (!add.disabled) add.click();
    };
    return {
      row,
      show: (value) => {
        const known = presets.find(({ name, formula }) => [name, formula].includes(value));
        const isDefault = !isNamed && value === field.default;
        select.value = isDefault ? value : (known?.name ?? '');
        written.hidden = isDefault;
        source.textContent = known === undefined ? '' : glossaryTexts.source(known.source);
        source.hidden = known === undefined;
        const text = value === known?.name ? known.formula : value;
        if (formula.value !== text && !isDefault) formula.value = text;
        underline();
      },
      complain: (mistake) => {
        shown = mistake;
        // An empty formula shows no mistake.
        if (mistake === null || formula.value.trim() === '')
          formula.removeAttribute('aria-invalid');
        else formula.setAttribute('aria-invalid', 'true');
        wrong.textContent = mistake === null ? '' : said.mistake(mistake.column, mistake.why);
        underline();
      },
      focus: () => (written.hidden ? select : formula).focus(),
    };
  }

  /** Adds the policy to those of the scenario, and runs it. */
  function take(put: (policies: string[]) => string[]) {
    const now = reading.get();
    if (judgedOwn !== own) {
      wanted = () => take(put);
      return;
    }
    if (now === null || composed === '') return;
    const { [referenceKey]: reference, ...rest } = entries.get();
    const policies = put(now.policies.map(({ value }) => value));
    entries.set({
      ...rest,
      ...(policies.includes(reference) ? { [referenceKey]: reference } : {}),
      [policiesKey]: policies.join(','),
    });
    drafts.delete(draft);
    const place = policies.indexOf(composed);
    dialog.close();
    const rows = document.querySelectorAll('.policies .own') as NodeListOf<HTMLElement>;
    rows[place]?.focus();
    run();
  }
  add.onclick = () => take((policies) => [...policies, composed]);
  replace.onclick = () =>
    take((policies) => policies.map((each) => (each === started.value ? composed : each)));
  startOver.onclick = () => {
    if (offer === null) return;
    drafts.delete(draft);
    own = offer.own;
    fit();
    parts[0].focus();
  };

  return async (place, isTask) => {
    const now = reading.get();
    const policy = now?.policies[place];
    if (now === null || policy === undefined || dialog.open) return;
    started = { value: policy.value, label: policy.label };
    own = judgedOwn = wanted = null;
    composed = '';
    add.disabled = replace.disabled = startOver.disabled = true;
    replace.textContent = said.replace(policy.label);
    from.textContent = said.loading;
    example.textContent = status.textContent = '';
    dialog.showModal();
    try {
      const given = await startedExportWorker().ask('composer', {
        scenario: now.text,
        policy: place,
      });
      if (offer === null) draw(given);
      if (isTask) given.own.parts[0] = '';
      offer = given;
    } catch (error) {
      dialog.close();
      throw error;
    }
    draft = `${isTask ? 'task ' : ''}${policy.value}`;
    own = drafts.get(draft) ?? offer.own;
    startOver.disabled = false;
    const begins = said.from(offer.label);
    from.textContent = offer.remark === null ? begins : `${begins} ${said.more(offer.remark)}`;
    fit();
    parts[0].focus();
  };
}
