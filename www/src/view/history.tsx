/** The list of the runs so far and of the traces that are stored, and undo and redo of the form. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { byId } from '../dom.ts';
import { timeOfDay } from '../format.ts';
import { KeptRuns } from '../kept-runs.ts';
import { mount } from '../mount.ts';
import { part } from '../part.ts';
import { across, digest, facet, hidden, inspected, trace, up } from '../state.ts';
import { historyTexts } from '../texts/history.ts';
import { Check } from './check.tsx';
import { undoing } from './undo.ts';
import type { Tables } from '../state.ts';
import type { KeptRun } from '../store.ts';

/** Names runs, once there is one before another. */
type Naming = typeof import('./changes.ts').named;

/** How long a view of a run must have stayed before it is stored with it, in milliseconds. */
const REST = 500;

interface HistoryParts {
  keys: Tables['keys'];
  /** Shows a stored run again. */
  restore: (run: KeptRun) => void;
}

/** @param view the view of the answer, as in links; null while the form has another scenario */
export function historyView({ view, ...parts }: HistoryParts & { view: () => string | null }) {
  const kept = new KeptRuns();
  mount(<History kept={kept} {...parts} />, byId('past'));
  byId('past').hidden = false;
  void kept.refresh();
  trace.subscribe(() => void keepTrace(kept));
  let timer = 0;
  const keepView = () => {
    const [shown, now] = [digest.peek(), view()];
    if (shown !== '' && now !== null) void kept.keepView(shown, now);
  };
  for (const part of [hidden, facet, inspected, across, up]) {
    part.subscribe(() => {
      clearTimeout(timer);
      timer = setTimeout(keepView, REST);
    });
  }
  undoing();
  return kept;
}

async function keepTrace(kept: KeptRuns) {
  const now = trace.peek();
  if (now !== null) await kept.keepTrace({ sha256: now.report.sha256, file: now.source.file });
}

function History({ kept, keys, restore }: HistoryParts & { kept: KeptRuns }) {
  const named = useSignal<Naming | null>(null);
  const runs = kept.runs.value;
  const hasMore = runs.length > 1;
  useLayoutEffect(() => {
    if (!hasMore) return;
    void part(() => import('./changes.ts')).then((view) => {
      named.value = view?.named ?? null;
    });
  }, [hasMore, named]);
  const items = runs.map((run, place) => (
    <RunItem
      key={run.id}
      kept={kept}
      run={run}
      differs={named.value?.(run, runs[place - 1], keys) ?? run.about}
      restore={restore}
    />
  ));
  return (
    <>
      <summary>{historyTexts.title}</summary>
      <ol class="past">{items.reverse()}</ol>
      <Check
        words={historyTexts.keepTraces}
        isOn={kept.keepsTraces.value}
        turn={(isOn) => {
          kept.wantTraces(isOn);
          void keepTrace(kept);
        }}
      />
      <ul class="past">
        {kept.traces.value.map(({ sha256, file }) => (
          <li key={sha256}>
            <span class="called">{historyTexts.trace(file.name, file.size)}</span>
            <Act
              label={historyTexts.remove(file.name)}
              sign="×"
              act={() => kept.removeTrace(sha256)}
            />
          </li>
        ))}
      </ul>
      <p class="soft">{kept.note}</p>
      <button type="button" id="forget" onClick={() => void kept.forget()}>
        {historyTexts.forget}
      </button>
    </>
  );
}

interface RunItemParts {
  kept: KeptRuns;
  run: KeptRun;
  /** Its default name. */
  differs: string;
  restore: (run: KeptRun) => void;
}

function RunItem({ kept, run, differs, restore }: RunItemParts) {
  const renaming = useSignal(false);
  const called = run.name || differs;
  const about = [timeOfDay(run.id), ...(run.name === '' ? [] : [differs]), run.sentence];
  const rename = async (name: string | null) => {
    if (name !== null) await kept.alter(run.id, { name });
    renaming.value = false;
  };
  return (
    <li data-digest={run.digest}>
      {renaming.value ? (
        <RunName called={called} done={(name) => void rename(name)} />
      ) : (
        <button
          type="button"
          class="plain called"
          data-hint={run.sentence}
          onClick={async () => restore((await kept.current(run.id)) ?? run)}
        >
          {called}
        </button>
      )}
      <Act
        label={run.pinned ? historyTexts.unpin(called) : historyTexts.pin(called)}
        sign={run.pinned ? '★' : '☆'}
        act={() => kept.alter(run.id, { pinned: !run.pinned })}
        pressed={run.pinned}
      />
      <button
        type="button"
        class="plain"
        title={historyTexts.rename(called)}
        aria-label={historyTexts.rename(called)}
        onClick={() => {
          renaming.value = true;
        }}
      >
        ✎
      </button>
      <Act label={historyTexts.remove(called)} sign="×" act={() => kept.removeRun(run.id)} />
      <p class="soft">{about.join(' · ')}</p>
    </li>
  );
}

/** The field for another name of a run; `done` gets null where it stays as it was. */
function RunName({ called, done }: { called: string; done: (name: string | null) => void }) {
  const field = useRef<HTMLInputElement>(null);
  // A field that is taken away loses the focus, too.
  const ended = useRef(false);
  const end = (name: string | null) => {
    if (ended.current) return;
    ended.current = true;
    done(name);
  };
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  return (
    <input
      type="text"
      ref={field}
      defaultValue={called}
      aria-label={historyTexts.name}
      onBlur={({ currentTarget }) => end(currentTarget.value.trim())}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') end(currentTarget.value.trim());
        if (key === 'Escape') end(null);
      }}
    />
  );
}

interface ActParts {
  label: string;
  sign: string;
  act: () => Promise<void>;
  pressed?: boolean;
}

/** A small button that changes what is stored. */
function Act({ label, sign, act, pressed }: ActParts) {
  return (
    <button
      type="button"
      class="plain"
      data-hint={label}
      aria-label={label}
      aria-pressed={pressed}
      onClick={() => void act()}
    >
      {sign}
    </button>
  );
}
