/** The lines and plans of a run over time, one above the other, with one cursor through them. */
import { percent, whole } from '../format.ts';
import { clock } from '../state.ts';
import { besideTexts } from '../texts/beside.ts';
import { overTimeTexts } from '../texts/over-time.ts';
import { labelOf } from './other-passes.ts';
import { ZOOM } from './time-state.ts';
import type { Run } from './inspector.ts';
import type { TimeState } from './time-state.ts';

interface Parts {
  state: TimeState;
}

interface OfRun extends Parts {
  run: Run;
}

/** The names of two runs, as long as there are two. */
export function namesOf({ kept }: Run) {
  return [besideTexts.first(labelOf(kept)), besideTexts.second(kept.beside ?? '')];
}

/** Lines and plans, one above the other, which are a slider of time. */
export function Stack({ state }: Parts) {
  const run = state.run.value;
  const { now, words } = state.described.value;
  return (
    <div
      ref={state.stack}
      class="stack"
      tabIndex={0}
      role="slider"
      aria-label={overTimeTexts.label}
      aria-valuemin={0}
      aria-valuemax={run?.kept.info.span}
      aria-valuenow={now}
      aria-valuetext={words === '' ? undefined : words}
      onPointerDown={(event) => {
        if (!(event.target instanceof HTMLCanvasElement)) return;
        state.isDragged = true;
        state.playback.stop();
        clock.value = state.timeAt(event);
      }}
      onPointerMove={(event) => {
        if (state.isDragged && event.buttons !== 0) clock.value = state.timeAt(event);
      }}
      onPointerUp={() => state.letGo()}
      onPointerCancel={() => state.letGo()}
      onKeyDown={(event) => moveByKey(state, event)}
    >
      {run !== null && <Lines state={state} run={run} />}
      {run !== null && <Plans state={state} run={run} />}
      <div class="called soft">{state.axis.value.words}</div>
      <div class="axis" aria-hidden="true">
        {state.axis.value.marks.map(({ share, label }, place) => (
          <span key={place} style={{ left: `${share * 100}%` }}>
            {label}
          </span>
        ))}
      </div>
      <div ref={state.cursor} class="cursor" aria-hidden="true" />
    </div>
  );
}

function moveByKey(state: TimeState, event: KeyboardEvent) {
  const run = state.run.peek();
  if (event.ctrlKey || event.metaKey || event.altKey || run === null) return;
  const many = event.shiftKey ? 10 : 1;
  const keys: { [key: string]: () => void } = {
    ArrowRight: () => void state.step(many),
    ArrowUp: () => void state.step(many),
    ArrowLeft: () => void state.step(-many),
    ArrowDown: () => void state.step(-many),
    Home: () => {
      clock.value = 0;
    },
    End: () => {
      clock.value = run.kept.info.span;
    },
    ' ': () => state.playback.toggle(),
    '+': () => state.zoom(1 / ZOOM),
    '-': () => state.zoom(ZOOM),
    0: () => state.zoom(Infinity),
  };
  const act = keys[event.key];
  if (act === undefined) return;
  event.preventDefault();
  act();
}

function Lines({ state, run }: OfRun) {
  return run.about.lines.map(({ label, unit, most }, line) => [
    <div key={`called ${line}`} class="called">
      {label}
      <span class="soft">{overTimeTexts.upTo(unit === '' ? percent(most) : whole(most))}</span>
    </div>,
    <span key={`value ${line}`} class="value">
      {state.values.value[line]?.map((words, place) => (
        <span key={place}>{words}</span>
      ))}
    </span>,
    <div key={`line ${line}`} class="drawn-line">
      <canvas
        ref={(canvas) => {
          state.strips[line] = canvas;
        }}
      />
    </div>,
  ]);
}

function Plans({ state, run }: OfRun) {
  const plans = state.plans(run);
  const names = namesOf(run);
  return plans.map((plan, place) => [
    plans.length > 1 && (
      <div key={`of ${plan.draws}`} class="plan-of">
        {names[place]}
      </div>
    ),
    <div key={`names ${plan.draws}`} class="called names">
      <span class={run.about.blocks.length === 0 ? '' : 'narrow-only'}>
        {overTimeTexts.plan(run.about.blocks)}
      </span>
      <BlockNames state={state} run={run} />
    </div>,
    <div key={plan.draws} class="drawn-line">
      <Plan state={state} plan={plan} />
    </div>,
  ]);
}

function BlockNames({ state, run }: OfRun) {
  const laid = state.blocks.value;
  return (
    <div class="blocks" aria-hidden="true">
      {run.about.blocks.map((name, block) => (
        <span key={name} hidden={!laid[block]?.isNamed} style={{ top: `${laid[block]?.middle}px` }}>
          {name}
        </span>
      ))}
    </div>
  );
}

/** The slots of a run by time; a job of it is pointed at and chosen. */
function Plan({ state, plan }: Parts & { plan: TimeState['own'] | TimeState['other'] }) {
  const spot = ({ offsetX, offsetY }: MouseEvent, canvas: HTMLCanvasElement) => ({
    x: Math.floor((offsetX * canvas.width) / canvas.clientWidth),
    y: Math.floor((offsetY * canvas.height) / canvas.clientHeight),
    on: plan,
  });
  return (
    <canvas
      ref={plan.canvas}
      class="plan"
      onPointerMove={(event) => state.pointAt(spot(event, event.currentTarget))}
      onPointerLeave={() => state.pointAt(null)}
      onClick={(event) => void state.chooseAt(spot(event, event.currentTarget))}
    />
  );
}
