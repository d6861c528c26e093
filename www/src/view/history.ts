/**
 * The runs so far, stored in the browser: the last ones and those pinned, each with its scenario
 * and its result. And undo and redo of the form.
 */
import { byId, make } from '../dom.ts';
import { timeOfDay } from '../format.ts';
import {
  across,
  digest,
  entries,
  facet,
  hidden,
  inspected,
  moving,
  trace,
  up,
  work,
} from '../state.ts';
import { Keeper } from '../store.ts';
import { historyTexts } from '../texts/history.ts';
import { say } from './banners.ts';
import { changes } from './changes.ts';
import type { Entries, Tables } from '../state.ts';
import type { KeptRun, KeptTrace } from '../store.ts';

/** The number of runs stored besides those pinned. */
const RUNS = 20;
/** Results with more runs than this are kept as scenarios only. */
const OUTCOMES = 5000;
/** The number of differences to the run before in the name of a run; the others are counted. */
const NAMED = 3;
/** Typing in one field without a longer pause than this, in milliseconds, is one edit. */
const TOGETHER = 1000;
/** How long a view of a run must have stayed before it is stored with it, in milliseconds. */
const REST = 500;
/** The number of steps that can be undone. */
const STEPS = 200;
/** The storage key of the choice to store traces. */
const KEEP_TRACES = 'keep-traces';

interface HistoryViewParts {
  keys: Tables['keys'];
  /** Shows a stored run again. */
  restore: (run: KeptRun) => void;
  /** The view of the answer, as in links; null while the form has another scenario. */
  view: () => string | null;
}

/** @returns stores a finished run; finds a stored trace */
export function historyView({ keys, restore, view }: HistoryViewParts): {
  add: (run: Omit<KeptRun, 'id' | 'name' | 'pinned'>) => Promise<void>;
  trace: (sha256: string) => Promise<File | null>;
} {
  const keeper = new Keeper((why) =>
    say('storage', { title: historyTexts.lost, details: historyTexts.lostDetails(why) }),
  );
  const words = historyTexts;
  const list = make('ol', { class: 'past' });
  const note = make('p', { class: 'soft' });
  const keepTraces = make('input', { type: 'checkbox', checked: remembered() });
  const traces = make('ul', { class: 'past' });
  byId('past').append(
    list,
    make('label', { class: 'check' }, keepTraces, words.keepTraces),
    traces,
    note,
    make('button', { type: 'button', id: 'forget', onclick: () => void forget() }, words.forget),
  );
  byId('past').hidden = false;

  const show = async () => {
    const runs = await keeper.all('runs');
    const rows = runs.map((run, place) => item(run, named(run, runs[place - 1])));
    list.replaceChildren(...rows.reverse());
    const kept = await keeper.all('traces');
    traces.replaceChildren(
      ...kept.map(({ sha256, file }) =>
        make(
          'li',
          {},
          make('span', { class: 'called' }, words.trace(file.name, file.size)),
          act(words.remove(file.name), '×', async () => keeper.remove('traces', sha256)),
        ),
      ),
    );
    note.textContent = (await keeper.lasts())
      ? runs.length === 0
        ? words.none
        : ''
      : words.passing;
  };

  const current = async (id: number) => (await keeper.all('runs')).find((run) => run.id === id);

  /** Changes something of a stored run. */
  const alter = async (id: number, change: Partial<KeptRun>) => {
    const run = await current(id);
    if (run !== undefined) await keeper.put('runs', { ...run, ...change });
  };

  /** A small button that changes what is stored. */
  const act = (label: string, sign: string, change: () => Promise<void>) =>
    make(
      'button',
      {
        type: 'button',
        class: 'plain',
        'data-hint': label,
        'aria-label': label,
        onclick: () => void change().then(show),
      },
      sign,
    );

  /** The default name of a run: its differences to the one before. */
  const named = (run: KeptRun, before: KeptRun | undefined) => {
    if (before?.scenario === undefined || run.scenario === undefined) return run.about;
    const all = changes(run, before, keys);
    if (all.length === 0)
      return run.core === before.core ? words.same : words.otherVersion(run.core);
    return words.differences(all.slice(0, NAMED), Math.max(0, all.length - NAMED));
  };

  const item = (run: KeptRun, differs: string) => {
    const called = run.name || differs;
    const open = make(
      'button',
      {
        type: 'button',
        class: 'plain called',
        'data-hint': run.sentence,
        onclick: async () => restore((await current(run.id)) ?? run),
      },
      called,
    );
    const about = [timeOfDay(run.id), ...(run.name === '' ? [] : [differs]), run.sentence];
    const pin = act(
      run.pinned ? words.unpin(called) : words.pin(called),
      run.pinned ? '★' : '☆',
      () => alter(run.id, { pinned: !run.pinned }),
    );
    pin.setAttribute('aria-pressed', String(run.pinned));
    const name = make(
      'button',
      {
        type: 'button',
        class: 'plain',
        title: words.rename(called),
        'aria-label': words.rename(called),
      },
      '✎',
    );
    const row = make(
      'li',
      { 'data-digest': run.digest },
      open,
      pin,
      name,
      act(words.remove(called), '×', () => keeper.remove('runs', run.id)),
      make('p', { class: 'soft' }, about.join(' · ')),
    );
    name.onclick = () => {
      const field = make('input', { type: 'text', value: called, 'aria-label': words.name });
      const done = async () => {
        field.onblur = null;
        await alter(run.id, { name: field.value.trim() });
        await show();
      };
      field.onblur = () => void done();
      field.onkeydown = ({ key }) => {
        if (key === 'Enter') void done();
        if (key === 'Escape') {
          field.onblur = null;
          void show();
        }
      };
      open.replaceWith(field);
      field.focus();
      field.select();
    };
    return row;
  };

  const forget = async () => {
    await keeper.clear();
    try {
      localStorage.clear();
    } catch {
      // Without storage there is nothing to remove.
    }
    keepTraces.checked = false;
    await show();
  };

  const keepTrace = async () => {
    const now = trace.get();
    if (!keepTraces.checked || now === null) return;
    try {
      await keeper.put('traces', { sha256: now.report.sha256, file: now.source.file });
    } catch {
      note.textContent = words.noRoom;
      return;
    }
    await show();
  };
  keepTraces.onchange = () => {
    try {
      localStorage.setItem(KEEP_TRACES, String(keepTraces.checked));
    } catch {
      // It is requested again the next time.
    }
    void keepTrace();
  };
  trace.watch(() => void keepTrace());
  void show();
  undoing();

  let timer = 0;
  /** Stores the view of the current run with it. */
  const keepView = async () => {
    const [shown, now] = [digest.get(), view()];
    if (shown === '' || now === null) return;
    const run = (await keeper.all('runs')).reverse().find((each) => each.digest === shown);
    if (run !== undefined && run.view !== now) await alter(run.id, { view: now }).catch(() => {});
  };
  for (const part of [hidden, facet, inspected, across, up]) {
    part.watch(() => {
      clearTimeout(timer);
      timer = setTimeout(() => void keepView(), REST);
    });
  }

  return {
    async add(run) {
      const runs = await keeper.all('runs');
      const same = runs.find(
        ({ digest, scenario }) =>
          digest === run.digest && JSON.stringify(scenario) === JSON.stringify(run.scenario),
      );
      if (same !== undefined) await keeper.remove('runs', same.id);
      const { name = '', pinned = false } = same ?? {};
      const outcomes = run.outcomes.length > OUTCOMES ? [] : run.outcomes;
      try {
        await keeper.put('runs', { ...run, outcomes, name, pinned, id: Date.now() });
        const loose = (await keeper.all('runs')).filter((each) => !each.pinned);
        for (const { id } of loose.slice(0, Math.max(0, loose.length - RUNS)))
          await keeper.remove('runs', id);
      } catch {
        note.textContent = words.noRoom;
        return;
      }
      await show();
    },
    async trace(sha256) {
      const kept: KeptTrace[] = await keeper.all('traces');
      return kept.find((each) => each.sha256 === sha256)?.file ?? null;
    },
  };
}

/** Undo and redo of the form, by button and key. */
function undoing() {
  const button = (name: 'undo' | 'redo', by: -1 | 1) => {
    const made = byId(name) as HTMLButtonElement;
    made.dataset.hint = historyTexts[name];
    made.setAttribute('aria-label', historyTexts[name]);
    made.onclick = () => step(by);
    return made;
  };
  const undo = button('undo', -1);
  const redo = button('redo', 1);
  let states: Entries[] = [];
  let at = -1;
  /**
   * The last edit: its time, its keys, the field in which it was typed, and whether it was by the
   * slider that is being moved.
   */
  let last = { time: 0, keys: '', field: null as Element | null, slid: false };
  let stepping = false;

  const show = () => {
    undo.disabled = at <= 0;
    redo.disabled = at >= states.length - 1;
  };
  const step = (by: -1 | 1) => {
    const next = states[at + by];
    if (next === undefined) return;
    at += by;
    // A field that is being typed in would keep its text.
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
    stepping = true;
    entries.set(next);
    stepping = false;
    last.field = null;
    show();
  };
  entries.watch((now) => {
    const keys = differing(states[at] ?? {}, now);
    if (stepping || (at >= 0 && keys === '')) return;
    const field =
      document.activeElement instanceof HTMLInputElement ? document.activeElement : null;
    const time = Date.now();
    const slid = moving.get();
    const goesOn = slid ? last.slid : time - last.time < TOGETHER;
    const isSame =
      at > 0 && field !== null && field === last.field && (slid || keys === last.keys) && goesOn;
    states = [...states.slice(0, isSame ? at : at + 1), now].slice(-STEPS);
    at = states.length - 1;
    last = { time, keys, field, slid };
    show();
  });
  // After a rest a slider starts a new edit.
  moving.watch(() => {
    last.slid = false;
  });
  // A run is a step of its own, however soon the next edit comes.
  work.watch(({ phase }) => {
    if (phase === 'running') last.field = null;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.altKey)
      return;
    // A field that is being typed in undoes its own letters.
    if (event.target instanceof HTMLInputElement && event.target.type === 'text') return;
    if (event.target instanceof HTMLTextAreaElement) return;
    event.preventDefault();
    step(event.shiftKey ? 1 : -1);
  });
}

/** The keys in which two states of the form differ. */
function differing(one: Entries, other: Entries) {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((key) => one[key] !== other[key])
    .sort()
    .join();
}

function remembered() {
  try {
    return localStorage.getItem(KEEP_TRACES) === 'true';
  } catch {
    return false;
  }
}
