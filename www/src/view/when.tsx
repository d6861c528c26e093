/**
 * When a job would start: at an instant of the open log, or behind the pasted queue of a cluster. The
 * answer is the distribution over many futures, what holds the job back, and other sizes and limits.
 */
import { useId } from 'preact/hooks';
import { byId } from '../dom.ts';
import { mount } from '../mount.ts';
import { trace } from '../state.ts';
import { whenTexts as said } from '../texts/when.ts';
import { Check } from './check.tsx';
import { Region } from './table.tsx';
import { WhenMap } from './when-map.tsx';
import { WhenState } from './when-state.ts';
import { WhenStrip } from './when-strip.tsx';
import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Told } from '../../pkg/backfill_web.js';
import type { Answered } from './when-futures.ts';
import type { WhenParts } from './when-state.ts';

export function whenView(parts: WhenParts) {
  const state = new WhenState(parts);
  mount(<When state={state} command={state.usual.command} />, byId('forecast'));
  state.follow();
}

interface Parts {
  state: WhenState;
}

function When({ state, command }: Parts & { command: string }) {
  const { answered, isQueue, instants, progress, wrong } = state;
  return (
    <>
      <p class="soft about">
        {said.about(state.futures())} <a href="./papers.html#report-3">{said.calibration}</a>.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void state.ask();
        }}
      >
        {trace.value === null && <p class="soft">{said.noLog}</p>}
        <Job state={state} />
        {isQueue.value ? (
          <Queue state={state} command={command} />
        ) : (
          instants.value !== null && <Submit state={state} />
        )}
        <div class="pick">
          <button type="submit" class="primary" disabled={progress.value !== null}>
            {said.ask}
          </button>
          <button type="button" disabled={progress.value === null} onClick={() => state.stop()}>
            {said.stop}
          </button>
          <span class="soft" role="status">
            {progress}
          </span>
        </div>
        <p class="wrong" role="alert">
          {wrong}
        </p>
      </form>
      {answered.value !== null && <Answer state={state} answered={answered.value} />}
    </>
  );
}

function Field({
  label,
  unit,
  children,
}: {
  label: string;
  unit?: string;
  children: ComponentChildren;
}) {
  return (
    <label>
      <span>
        {label} {unit && <span class="unit">{unit}</span>}
      </span>
      {children}
    </label>
  );
}

function Text({ of, label, unit }: { of: Signal<string>; label: string; unit?: string }) {
  return (
    <Field label={label} unit={unit}>
      <input
        type="text"
        spellcheck={false}
        value={of.value}
        onInput={({ currentTarget }) => {
          of.value = currentTarget.value;
        }}
      />
    </Field>
  );
}

/** What is asked about: the job, the policy, and where the state comes from. */
function Job({ state }: Parts) {
  const instants = state.instants.value;
  const system = state.isQueue.value ? null : instants;
  return (
    <div class="pick">
      {instants !== null && (
        <Field label={said.from}>
          <select
            value={state.isQueue.value ? 'queue' : 'log'}
            onChange={({ currentTarget }) => {
              state.wantsQueue.value = currentTarget.value === 'queue';
            }}
          >
            <option value="log">{said.fromLog}</option>
            <option value="queue">{said.fromQueue}</option>
          </select>
        </Field>
      )}
      <Text of={state.size} label={said.size(system?.unit ?? 'node')} />
      <Text of={state.limit} label={said.limit} unit={said.limitUnit} />
      {system?.network && (
        <Text of={state.bandwidth} label={said.bandwidth} unit={said.bandwidthUnit} />
      )}
      <Field label={said.policy}>
        <select
          value={state.policy.value}
          onChange={({ currentTarget }) => {
            state.chosen.value = currentTarget.value;
          }}
        >
          {state.policies.value.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </Field>
    </div>
  );
}

/** An instant of the log. */
function Submit({ state }: Parts) {
  const { from_s, until_s, begins } = state.instants.value ?? {
    from_s: 0,
    until_s: 0,
    begins: null,
  };
  const secondsOf = (text: string) =>
    begins === null || /^[\d.]+$/.test(text)
      ? Number(text)
      : Date.parse(`${text.trim().replace(' ', 'T')}Z`) / 1000 - begins;
  return (
    <div class="pick submit">
      <Text of={state.at} label={said.submit} unit={said.submitUnit(begins !== null)} />
      <label class="wide">
        <span>{said.slider}</span>
        <input
          type="range"
          min={from_s}
          max={until_s}
          step="any"
          value={secondsOf(state.at.value)}
          onInput={({ currentTarget }) => state.setAt(Math.round(currentTarget.valueAsNumber))}
        />
      </label>
    </div>
  );
}

/** The queue of a running cluster, pasted. */
function Queue({ state, command }: Parts & { command: string }) {
  const { queue, nodes, processors, usesHistory } = state;
  const id = useId();
  const log = trace.value?.source.file.name;
  return (
    <div class="pasted">
      <label for={id}>{said.queue}</label> <code>{command}</code>
      <textarea
        id={id}
        rows={6}
        spellcheck={false}
        value={queue.value}
        onInput={({ currentTarget }) => {
          queue.value = currentTarget.value;
        }}
      />
      <p class="soft">{said.queueStays}</p>
      <label>
        <span>{said.nodes}</span>
        <textarea
          rows={2}
          spellcheck={false}
          value={nodes.value}
          onInput={({ currentTarget }) => {
            nodes.value = currentTarget.value;
          }}
        />
      </label>
      <Switch of={processors} words={said.processors} />
      {log === undefined ? (
        <p class="soft">{said.noHistory}</p>
      ) : (
        <Switch of={usesHistory} words={said.history(log)} />
      )}
    </div>
  );
}

function Switch({ of, words }: { of: Signal<boolean>; words: string }) {
  const turn = (isOn: boolean) => {
    of.value = isOn;
  };
  return <Check words={words} isOn={of.value} turn={turn} />;
}

function Answer({ state, answered }: Parts & { answered: Answered }) {
  const { told, before } = answered;
  const shown = told ?? before;
  return (
    <div class="forecast">
      {told !== null && <p class="sentence">{inWords(told)}</p>}
      <WhenStrip
        answered={answered}
        begins={told?.begins ?? state.instants.value?.begins ?? null}
      />
      {told !== null && (
        <>
          {told.cause !== null && <p>{told.cause}</p>}
          <Chances told={told} />
          <p class="soft">{told.premise}</p>
        </>
      )}
      {shown !== null && <WhenMap state={state} told={shown} />}
    </div>
  );
}

/** The sentence. */
function inWords({ forecast, begins }: Told) {
  const { p10, p50, p90, chances } = forecast;
  const name = (seconds: number) => said.at(seconds, begins);
  if (p50.start_s === null || p50.wait_s === null) return said.never;
  if (p90.wait_s === 0) return forecast.weeks === 0 ? said.nowByLimits : said.atOnce;
  if (p10.start_s === p90.start_s)
    return (forecast.weeks === 0 ? said.byLimits : said.certain)(
      name(p50.start_s),
      said.wait(p50.wait_s),
    );
  const until = p90.start_s === null ? said.open : name(p90.start_s);
  const half =
    p50.wait_s === 0 ? said.halfNow : said.half(name(p50.start_s), said.wait(p50.wait_s));
  const most =
    p10.wait_s === 0 || p10.start_s === null
      ? said.mostAndNow(until)
      : said.most(name(p10.start_s), until);
  const last = chances.at(-1)?.share ?? 1;
  return half + most + (p90.start_s === null && last < 1 ? ` ${said.some(1 - last)}` : '');
}

function Chances({ told: { forecast } }: { told: Told }) {
  return (
    <Region label={said.chances}>
      <table>
        <thead>
          <tr>
            <th scope="col">{said.chances}</th>
            {forecast.chances.map(({ within_s }) => (
              <th key={within_s} scope="col">
                {said.within(within_s)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{said.ofFutures(forecast.futures)}</th>
            {forecast.chances.map(({ within_s, share }) => (
              <td key={within_s}>{said.percent(share)}</td>
            ))}
          </tr>
        </tbody>
      </table>
    </Region>
  );
}
