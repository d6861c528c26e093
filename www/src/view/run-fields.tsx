/** The fields that choose a run to look into, and the instant of it. */
import { instant } from '../format.ts';
import { averaged, clock } from '../state.ts';
import { replayTexts } from '../texts/replay.ts';
import { Check } from './check.tsx';
import { Choice } from './choice.tsx';
import { ofPolicy } from './run-choice.ts';
import type { Signal } from '@preact/signals';
import type { ReplayInfo } from '../../pkg/backfill_web.js';
import type { Inspected, Reading } from '../state.ts';

/** Steps of the time slider; each is a thousandth of the run. */
const STEPS = 1000;

/** The scenario and the chosen run of it. */
export interface ChosenRun {
  reading: Reading;
  run: Inspected;
}

interface RunFieldsParts {
  chosen: Signal<ChosenRun | null>;
  /** Opens another run. */
  choose: (run: Inspected) => void;
}

const NOTHING: ChosenRun['run'] = { policy: 0, x: 0, y: 0, replication: 0, beside: null };

export function RunFields({ chosen, choose }: RunFieldsParts) {
  const { reading = null, run = NOTHING } = chosen.value ?? {};
  const { x = null, y = null, replications = 1 } = reading ?? {};
  return (
    <div class="pick">
      <Choice
        label={replayTexts.policy}
        value={String(run.policy)}
        choices={placed(reading?.policies.map(({ label }) => label) ?? [])}
        choose={(policy) => {
          if (reading !== null) choose(ofPolicy(reading, run, Number(policy)));
        }}
      />
      <Choice
        label={x?.label ?? ''}
        hidden={x === null}
        value={String(run.x)}
        choices={placed(x?.values ?? [''])}
        choose={(x) => choose({ ...run, x: Number(x) })}
      />
      <Choice
        label={y?.label ?? ''}
        hidden={y === null}
        value={String(run.y)}
        choices={placed(y?.values ?? [''])}
        choose={(y) => choose({ ...run, y: Number(y) })}
      />
      <Choice
        label={replayTexts.replication}
        hidden={replications === 1}
        value={String(run.replication)}
        choices={placed(Array.from({ length: replications }, (_, each) => String(each + 1)))}
        choose={(replication) => choose({ ...run, replication: Number(replication) })}
      />
      <BesideChoice reading={reading} run={run} choose={choose} />
      <Check
        words={replayTexts.average}
        isOn={averaged.value}
        turn={(isOn) => {
          averaged.value = isOn;
        }}
      />
    </div>
  );
}

/** Choices by their positions. */
function placed(labels: string[]): [value: string, words: string][] {
  return labels.map((label, place) => [String(place), label]);
}

interface BesideChoiceParts {
  reading: Reading | null;
  run: Inspected;
  choose: (run: Inspected) => void;
}

/** The policy to compare with: any of the others, or none. */
function BesideChoice({ reading, run, choose }: BesideChoiceParts) {
  const labels = reading?.policies.map(({ label }) => label) ?? [];
  const others = placed(labels).filter(([value]) => value !== String(run.policy));
  return (
    <Choice
      label={replayTexts.beside}
      hidden={others.length === 0}
      value={run.beside === null ? '' : String(run.beside)}
      choices={[['', replayTexts.alone], ...others]}
      choose={(beside) => choose({ ...run, beside: beside === '' ? null : Number(beside) })}
    />
  );
}

/** The instant of the run, as a slider. */
export function Instant({ info }: { info: Signal<ReplayInfo | null> }) {
  const run = info.value;
  const now = clock.value;
  const step = run !== null && run.span > 0 ? Math.round((now / run.span) * STEPS) : 0;
  const isWhole = averaged.value;
  return (
    <div class="instant">
      <button
        type="button"
        disabled={isWhole}
        onClick={() => {
          clock.value = run?.busiest ?? 0;
        }}
      >
        {replayTexts.busiest}
      </button>
      <input
        type="range"
        min="0"
        max={STEPS}
        step="1"
        aria-label={replayTexts.time}
        aria-valuetext={run === null ? undefined : instant(now)}
        disabled={isWhole}
        value={step}
        onInput={({ currentTarget }) => {
          clock.value = run === null ? 0 : (Number(currentTarget.value) / STEPS) * run.span;
        }}
      />
      <output>{run !== null && (isWhole ? replayTexts.averaged : instant(now))}</output>
    </div>
  );
}
