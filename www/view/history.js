/**
 * The runs so far, kept in the browser: the last ones and those pinned, each with its scenario and
 * its result. And undo and redo over what the form says.
 *
 * @typedef {import('../store.js').KeptRun} KeptRun
 * @typedef {import('../state.js').Entries} Entries
 */
import { byId, make } from '../dom.js';
import { entries, trace } from '../state.js';
import { Keeper } from '../store.js';
import { texts } from '../texts.js';
import { say } from './banners.js';

/** How many runs are kept beside those pinned. */
const RUNS = 20;
/** Results with more runs than this are kept as scenarios only. */
const OUTCOMES = 5000;
/** Changes of the same keys that come faster than this, in milliseconds, are undone together. */
const TOGETHER = 5000;
/** How many steps can be undone. */
const STEPS = 200;
/** Where the browser remembers that traces are to be kept. */
const KEEP_TRACES = 'keep-traces';

/**
 * @param {(run: KeptRun) => void} restore shows a kept run again
 * @returns {{add: (run: Omit<KeptRun, 'id' | 'name' | 'pinned'>) => Promise<void>, trace: (sha256:
 *   string) => Promise<File | null>}} keeps a finished run; finds a kept trace
 */
export function historyView(restore) {
  const keeper = new Keeper((why) =>
    say('storage', { title: texts.history.lost, details: texts.history.lostDetails(why) }),
  );
  const words = texts.history;
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
    list.replaceChildren(...runs.reverse().map((run) => item(run)));
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

  /**
   * A small button that changes what is kept.
   * @param {string} label
   * @param {string} sign
   * @param {() => Promise<void>} change
   */
  const act = (label, sign, change) =>
    make(
      'button',
      {
        type: 'button',
        class: 'plain',
        title: label,
        'aria-label': label,
        onclick: () => void change().then(show),
      },
      sign,
    );

  /** @param {KeptRun} run */
  const item = (run) => {
    const called = run.name || run.about;
    const open = make(
      'button',
      { type: 'button', class: 'plain called', title: run.sentence, onclick: () => restore(run) },
      called,
    );
    const pin = act(
      run.pinned ? words.unpin(called) : words.pin(called),
      run.pinned ? '★' : '☆',
      () => keeper.put('runs', { ...run, pinned: !run.pinned }),
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
    );
    name.onclick = () => {
      const field = make('input', { type: 'text', value: called, 'aria-label': words.name });
      const done = async () => {
        field.onblur = null;
        await keeper.put('runs', { ...run, name: field.value.trim() });
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
      // Where nothing may be kept there is nothing to remove.
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
      // Then it is asked again next time.
    }
    void keepTrace();
  };
  trace.watch(() => void keepTrace());
  void show();
  undoing();

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
      /** @type {import('../store.js').KeptTrace[]} */
      const kept = await keeper.all('traces');
      return kept.find((each) => each.sha256 === sha256)?.file ?? null;
    },
  };
}

/** Undo and redo of what the form says, by button and key. */
function undoing() {
  const undo = make(
    'button',
    {
      type: 'button',
      id: 'undo',
      title: texts.history.undo,
      'aria-label': texts.history.undo,
      onclick: () => step(-1),
    },
    '↶',
  );
  const redo = make(
    'button',
    {
      type: 'button',
      id: 'redo',
      title: texts.history.redo,
      'aria-label': texts.history.redo,
      onclick: () => step(1),
    },
    '↷',
  );
  byId('act').querySelector('.buttons')?.append(undo, redo);
  /** @type {Entries[]} */
  let states = [];
  let at = -1;
  let changed = 0;
  let keys = '';
  let stepping = false;

  const show = () => {
    undo.disabled = at <= 0;
    redo.disabled = at >= states.length - 1;
  };
  /** @param {-1 | 1} by */
  const step = (by) => {
    const next = states[at + by];
    if (next === undefined) return;
    at += by;
    stepping = true;
    entries.set(next);
    stepping = false;
    changed = 0;
    show();
  };
  entries.watch((now) => {
    const differ = differing(states[at] ?? {}, now);
    if (stepping || (at >= 0 && differ === '')) return;
    const quick = at > 0 && differ === keys && Date.now() - changed < TOGETHER;
    changed = Date.now();
    keys = differ;
    states = [...states.slice(0, quick ? at : at + 1), now].slice(-STEPS);
    at = states.length - 1;
    show();
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

/**
 * The keys in which two states of the form differ.
 * @param {Entries} one
 * @param {Entries} other
 */
function differing(one, other) {
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
