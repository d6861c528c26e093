/**
 * A run over time: use, waiting jobs, and allocations of slots, with one cursor through all of it;
 * and the same for a run compared with. The worker paints; the page moves the cursor, plays and
 * zooms.
 */
import { createRef } from 'preact';
import { inNextFrame, put } from '../dom.ts';
import { span } from '../format.ts';
import { mounted } from '../mount.ts';
import { dark } from '../state.ts';
import { overTimeTexts } from '../texts/over-time.ts';
import { cell } from './cell.ts';
import { CopyAs } from './copy-as-button.tsx';
import { Key } from './key.tsx';
import { SECONDS } from './playback.ts';
import { RAMP } from './scale.tsx';
import { SignButton } from './sign-button.tsx';
import { Stack, namesOf } from './time-stack.tsx';
import { TimeState, ZOOM } from './time-state.ts';
import type { RefObject } from 'preact';
import type { Core } from '../core.ts';
import type { Look, Run } from './inspector.ts';

export function timeView(look: Look, core: Core) {
  const state = new TimeState(look);
  const scale = createRef<HTMLCanvasElement>();
  const element = mounted(<OverTime state={state} scale={scale} />);
  dark.subscribe(() => {
    if (scale.current !== null)
      put(scale.current, core.paint_scale(RAMP.width, RAMP.height, dark.peek()));
    void state.paint();
  });
  if (state.stack.current !== null)
    new ResizeObserver(inNextFrame(() => void state.paint())).observe(state.stack.current);
  return { element, show: (run: Run) => state.open(run) };
}

interface Parts {
  state: TimeState;
}

function OverTime({ state, scale }: Parts & { scale: RefObject<HTMLCanvasElement | null> }) {
  const run = state.run.value;
  return (
    <section class="over-time" aria-label={overTimeTexts.title}>
      <div class="over">
        <h3>{overTimeTexts.title}</h3>
        <CopyAs name={overTimeTexts.title} chart={() => ({ of: 'run' })} />
      </div>
      <Controls state={state} />
      <p class="soft both-runs" hidden={run === null || run.kept.beside === null}>
        {run !== null && <BothRuns run={run} />}
      </p>
      <Stack state={state} />
      <p class="at under">{state.pointed}</p>
      <ColourScale state={state} scale={scale} />
      {run !== null && <Moves run={run} />}
    </section>
  );
}

function Controls({ state }: Parts) {
  const said = overTimeTexts;
  const { playback } = state;
  return (
    <div class="pick">
      <div class="group-of">
        <SignButton sign="◂" words={said.back} act={() => void state.step(-1)} />
        <button type="button" onClick={() => playback.toggle()}>
          {playback.isPlaying.value ? said.pause : said.play}
        </button>
        <SignButton sign="▸" words={said.ahead} act={() => void state.step(1)} />
      </div>
      <label>
        <span>{said.speed}</span>
        <select
          value={playback.seconds.value}
          onChange={({ currentTarget }) => {
            playback.seconds.value = Number(currentTarget.value);
          }}
        >
          {SECONDS.map((seconds) => (
            <option key={seconds} value={seconds}>
              {said.inSeconds(seconds)}
            </option>
          ))}
        </select>
      </label>
      <div class="group-of">
        <SignButton sign="−" words={said.zoomOut} act={() => state.zoom(ZOOM)} />
        <SignButton sign="+" words={said.zoomIn} act={() => state.zoom(1 / ZOOM)} />
        <button type="button" onClick={() => state.zoom(Infinity)}>
          {said.whole}
        </button>
      </div>
      <ColouringChoice state={state} />
    </div>
  );
}

function ColouringChoice({ state }: Parts) {
  const about = state.run.value?.about;
  return (
    <label>
      <span>{overTimeTexts.colour}</span>
      <select
        value={state.colouring.value}
        onChange={({ currentTarget }) => state.colourBy(currentTarget.value)}
      >
        {about?.colourings.map(({ column }) => (
          <option key={column} value={column}>
            {about.columns[column].label}
          </option>
        ))}
      </select>
    </label>
  );
}

function BothRuns({ run }: { run: Run }) {
  const [first, second] = namesOf(run);
  return (
    <>
      <Key kind="area" words={first} />
      <Key kind="dashed" words={second} />
    </>
  );
}

function ColourScale({ state, scale }: Parts & { scale: RefObject<HTMLCanvasElement | null> }) {
  const about = state.run.value?.about;
  const number = Number(state.colouring.value);
  const end = about?.colourings.find(({ column }) => column === number)?.most ?? null;
  const column = about?.columns[number];
  const isScale = about !== undefined && column !== undefined && end !== null;
  return (
    <div class="scale">
      <span hidden={!isScale}>{isScale && cell(column.kind, 0, about.outcomes)}</span>
      <canvas ref={scale} {...RAMP} aria-hidden="true" hidden={!isScale} />
      <span hidden={!isScale}>
        {isScale && overTimeTexts.most(cell(column.kind, end, about.outcomes), column.label)}
      </span>
      <span hidden={isScale}>
        {state.isDense.value ? overTimeTexts.dense : overTimeTexts.apart}
      </span>
    </div>
  );
}

/** What migrated, where jobs do. */
function Moves({ run: { about } }: { run: Run }) {
  const { moves } = about;
  return (
    <p class="soft moved" hidden={moves.every(({ migrations }) => migrations === 0)}>
      <Key kind="edge" words={overTimeTexts.mark} />
      {moves.some(({ paused }) => paused > 0) && (
        <Key kind="hatched" words={overTimeTexts.hatched} />
      )}
      {moves.map(({ jobs, migrations, paused }, place) => {
        const words = overTimeTexts.moved(jobs, migrations, paused > 0 ? span(paused) : null);
        return (
          <span key={place} class="line">
            {moves.length === 1 ? words : overTimeTexts.ofRun(place, words)}
          </span>
        );
      })}
    </p>
  );
}
