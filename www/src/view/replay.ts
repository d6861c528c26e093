/**
 * Inside a run: the reserved part of every link at an instant, or averaged over the run, or its use
 * if jobs share links. The replay worker runs the cell again, keeps it and gives the shares; the
 * page paints them.
 */
import { byId, make } from '../dom.ts';
import { instant, percent } from '../format.ts';
import { Cancelled } from '../worker/worker-client.ts';
import {
  averaged,
  cellAt,
  chosenJob,
  clock,
  dark,
  frame,
  inspected,
  kept,
  picture as laid,
  pointedCell,
  pointedJob,
  saidBeside,
  sizesOf,
  used,
  usedChosen,
} from '../state.ts';
import { coreTexts } from '../texts/core.ts';
import { replayTexts } from '../texts/replay.ts';
import { say, unsay } from './banners.ts';
import { mapView, nameColumns } from './map.ts';
import { RAMP, key, scaleView } from './scale.ts';
import type { Picture, ReplayInfo } from '../../pkg/backfill_web.js';
import type { Core } from '../core.ts';
import type { Inspected, Reading } from '../state.ts';
import type { Run, TraceFile } from '../worker/messages.ts';
import type { WorkerClient } from '../worker/worker-client.ts';

/** The limit of what is printed as 100.0 %: sums of shares differ by rounding. */
const ROUNDED = 1.0005;
/** Steps of the time slider; each is a thousandth of the run. */
const STEPS = 1000;
/** The labelled shares of the colour scale; an empty cell has a colour of its own. */
const NUMBERED = [0.4, 0.8, 0.9, 1];

/** @param startedExportWorker returns the worker that explains */
export function replayView(
  replayWorker: WorkerClient,
  core: Core,
  startedExportWorker: () => WorkerClient,
) {
  const section = byId('inside');
  const policy = make('select');
  const beside = make('select');
  const besideLabel = make('label', {}, make('span', {}, replayTexts.beside), beside);
  const x = make('select');
  const y = make('select');
  const replication = make('select');
  const xLabel = make('label', {}, make('span', {}), x);
  const yLabel = make('label', {}, make('span', {}), y);
  const replicationLabel = make(
    'label',
    {},
    make('span', {}, replayTexts.replication),
    replication,
  );
  const average = make('input', { type: 'checkbox' });
  const time = make('input', {
    type: 'range',
    min: '0',
    max: String(STEPS),
    step: '1',
    'aria-label': replayTexts.time,
  });
  const shownTime = make('output');
  const busiest = make('button', { type: 'button' }, replayTexts.busiest);
  const map = mapView();
  const rows = make('div', { class: 'rows', 'aria-hidden': 'true' });
  const columns = make('div', { class: 'pods', 'aria-hidden': 'true' });
  const numbered = make('div', { class: 'pods-of soft', 'aria-hidden': 'true' });
  const at = make('p', { class: 'at', role: 'status' });
  const jobs = make('p', { class: 'soft figures told first' });
  const scaleWords = make('span', {});
  const scale = scaleView(
    NUMBERED.map((share) => [core.scale_place(share), replayTexts.upTo(share)]),
  );
  const over = key('over', replayTexts.over);
  byId('replay').append(
    make(
      'div',
      { class: 'pick' },
      make('label', {}, make('span', {}, replayTexts.policy), policy),
      xLabel,
      yLabel,
      replicationLabel,
      besideLabel,
      make('label', { class: 'check' }, average, make('span', {}, replayTexts.average)),
    ),
    make('div', { class: 'instant' }, busiest, time, shownTime),
    make('div', { class: 'tree' }, rows, map.element, numbered, columns, jobs),
    at,
    make(
      'div',
      { class: 'scale', id: 'shares-scale' },
      key('idle', replayTexts.upTo(0)),
      scale.element,
      scaleWords,
      over,
    ),
  );

  let now: { reading: Reading; trace: TraceFile | null } | null = null;
  let info: ReplayInfo | null = null;
  let picture: Picture | null = null;

  /** The chosen cell, in scenario order: y, x, policy, replication. */
  function cell(ofPolicy: string) {
    if (now === null) return 0;
    const run = {
      y: Number(y.value),
      x: Number(x.value),
      policy: Number(ofPolicy),
      replication: Number(replication.value),
    };
    return cellAt(sizesOf(now.reading), run);
  }

  /**
   * The run that the worker holds: to show its details, or to compare it with another one, it need
   * not be run again.
   */
  let held:
    | (Run & { number: number; worker: Worker | null; info: ReplayInfo; hasBeside: boolean })
    | null = null;

  /** Runs the chosen cell again and shows its busiest instant. */
  let asked = 0;
  async function load() {
    if (now === null) return;
    asked += 1;
    const mine = asked;
    const { reading, trace } = now;
    const wanted = cell(policy.value);
    const deeper = kept.get()?.scenario === reading.text && kept.get()?.cell === wanted && deep;
    if (!deeper) at.textContent = replayTexts.running;
    await replayWorker.cancel();
    if (mine !== asked) return;
    try {
      // More may be wanted by the time this has run.
      const whole = deep;
      const isThere =
        held !== null &&
        held.worker === replayWorker.worker &&
        held.scenario === reading.text &&
        held.trace === trace &&
        held.cell === wanted &&
        (!held.hasBeside || beside.value !== '');
      if (!isThere) {
        const run = { scenario: reading.text, trace, cell: wanted, number: mine };
        const info = await replayWorker.ask('replay', run);
        held = { ...run, worker: replayWorker.worker, info, hasBeside: false };
      }
      if (mine !== asked || held === null) return;
      const { info: found, number } = held;
      const second = whole ? await runBeside(reading, trace) : null;
      if (second !== null) held.hasBeside = true;
      if (mine !== asked) return;
      info = { ...found, span: Math.max(found.span, second?.info.span ?? 0) };
      unsay('replay');
      section.hidden = false;
      frame.set(null);
      over.hidden = true;
      used.set((found.shared || !!second?.info.shared) && usedChosen.get() !== false);
      if (!deeper) {
        chosenJob.set(null);
        pointedJob.set(null);
        clock.set(found.busiest);
      }
      const { label } = reading.policies[Number(policy.value)];
      kept.set({
        number,
        scenario: reading.text,
        trace,
        cell: wanted,
        info,
        deep: whole,
        label,
        beside: second?.label ?? null,
      });
      fit();
      await show();
    } catch (error) {
      if (error instanceof Cancelled) return;
      section.hidden = info === null;
      at.textContent = '';
      say('replay', {
        title: replayTexts.failed,
        details: error instanceof Error ? error.message : String(error),
        loud: true,
      });
    }
  }

  /** Runs the policy chosen to compare with, if any. */
  async function runBeside(
    reading: Reading,
    trace: TraceFile | null,
  ): Promise<{ label: string; info: ReplayInfo } | null> {
    if (beside.value === '') return null;
    const { label } = reading.policies[Number(beside.value)];
    at.textContent = replayTexts.runningBeside(label);
    return {
      label,
      info: await replayWorker.ask('beside', {
        scenario: reading.text,
        trace,
        cell: cell(beside.value),
      }),
    };
  }

  /** Whether more than the picture is shown. */
  let deep = false;

  /** Shows all details of the run. */
  async function deepen() {
    if (deep) return;
    deep = true;
    try {
      const { inspector } = await import('./inspector.ts');
      inspector({ replayWorker, core, startedExportWorker });
    } catch (error) {
      // The next occasion tries again.
      deep = false;
      say('part', {
        title: coreTexts.noPart,
        details: coreTexts.noPartDetails(error instanceof Error ? error.message : String(error)),
        loud: true,
      });
      return;
    }
    void load();
  }
  new IntersectionObserver((seen) => {
    if (seen.some(({ isIntersecting }) => isIntersecting)) void deepen();
  }).observe(map.element);

  /** Requests the shares of the instant; while one request is open, only the last one counts. */
  let open = false;
  let again = false;
  async function show() {
    if (info === null || kept.get() === null) return;
    if (open) {
      again = true;
      return;
    }
    open = true;
    do {
      again = false;
      const seconds = averaged.get() ? null : clock.get();
      time.disabled = busiest.disabled = averaged.get();
      shownTime.textContent = seconds === null ? replayTexts.averaged : instant(seconds);
      time.setAttribute('aria-valuetext', instant(clock.get()));
      const run = kept.get();
      try {
        const found = await replayWorker.ask('frame', {
          at: seconds,
          used: used.get(),
          number: run?.number ?? 0,
        });
        // Shares of another run than the current one are dropped.
        if (found !== null && run === kept.get()) frame.set(found);
      } catch (error) {
        open = false;
        if (error instanceof Cancelled) return;
        throw error;
      }
      paint();
    } while (again);
    open = false;
  }

  function paint() {
    const now = frame.get();
    if (picture === null || now === null) return;
    map.show(picture.paint(now.shares, now.paused, dark.get()));
    jobs.textContent = now.jobs === null ? '' : replayTexts.jobs(...now.jobs);
    if (now.shares.some((share) => share > ROUNDED)) over.hidden = false;
    read();
  }

  function paintScale() {
    scale.show(core.paint_scale(RAMP.width, RAMP.height, dark.get()));
  }

  /** Makes the picture as wide as the room allows. */
  function fit() {
    if (info === null || map.element.clientWidth === 0) return;
    picture?.free();
    const mine = new core.Picture(
      info.machine,
      Math.floor(map.element.clientWidth * devicePixelRatio),
    );
    picture = mine;
    const words = used.get() ? replayTexts.inUse : mine.words();
    rows.replaceChildren(...mine.rows().map((row) => make('span', {}, row)));
    const [, ofScale, ofMap] = words;
    scaleWords.textContent = ofScale;
    map.element.setAttribute('aria-label', ofMap);
    // With the same layout the cells keep their positions.
    const before = laid.get();
    if (before?.width !== mine.width || before?.height !== mine.height) pointedCell.set(null);
    const now = {
      width: mine.width,
      height: mine.height,
      spot: (x: number, y: number) => picture?.spot(x, y),
      columns: mine.columns(),
      words,
    };
    numbered.textContent = nameColumns(columns, now);
    laid.set(now);
    paint();
  }

  /** Shows the cell under the pointer in words. */
  function read() {
    const spot = pointedCell.get();
    const now = frame.get();
    if (spot === null || now === null) {
      at.textContent = replayTexts.hint;
      return;
    }
    const paused = now.paused.includes(spot.part);
    at.textContent =
      replayTexts.cell(
        spot.name,
        percent(now.shares[spot.part]),
        laid.get()?.words[0] ?? '',
        paused,
      ) + saidBeside.get();
  }
  pointedCell.watch(read);
  saidBeside.watch(read);

  function report() {
    const [ofPolicy, ofX, ofY, ofReplication] = [policy, x, y, replication].map(({ value }) =>
      Number(value),
    );
    inspected.set({
      policy: ofPolicy,
      x: ofX,
      y: ofY,
      replication: ofReplication,
      beside: beside.value === '' ? null : Number(beside.value),
    });
  }

  /** Names and marks the chosen run, and runs it again. */
  function choose() {
    report();
    void load();
  }
  for (const select of [x, y, replication]) select.onchange = choose;
  policy.onchange = () => {
    const before = inspected.get()?.policy ?? 0;
    // A run is not compared with itself: the two are exchanged.
    offerBeside(beside.value === policy.value ? String(before) : beside.value);
    choose();
  };
  beside.onchange = () => {
    report();
    if (deep) void load();
    else void deepen();
  };

  /**
   * Offers the other policies to compare with.
   * @param wanted the chosen one, if it is one of them
   */
  function offerBeside(wanted: string) {
    const policies = now?.reading.policies ?? [];
    const others = policies
      .map(({ label }, place) => new Option(label, String(place)))
      .filter(({ value }) => value !== policy.value);
    beside.replaceChildren(new Option(replayTexts.alone, ''), ...others);
    beside.value = others.some(({ value }) => value === wanted) ? wanted : '';
    besideLabel.hidden = others.length === 0;
  }
  average.onchange = () => averaged.set(average.checked);
  averaged.watch((whole) => {
    average.checked = whole;
    void show();
  });
  used.watch(() => {
    fit();
    void show();
  });
  time.oninput = () => clock.set(info === null ? 0 : (Number(time.value) / STEPS) * info.span);
  busiest.onclick = () => clock.set(info?.busiest ?? 0);
  clock.watch((seconds) => {
    const step = String(
      Math.round((info !== null && info.span > 0 ? seconds / info.span : 0) * STEPS),
    );
    if (time.value !== step) time.value = step;
    void show();
  });
  dark.watch(() => {
    paint();
    paintScale();
  });
  new ResizeObserver(() => fit()).observe(map.element);

  return {
    /**
     * Offers the runs of a scenario, and opens the wanted one, else the first policy's at the last
     * x.
     */
    open(reading: Reading, trace: TraceFile | null, wanted: Inspected | null) {
      now = { reading, trace };
      const options = (values: string[]) =>
        values.map((value, place) => new Option(value, String(place)));
      policy.replaceChildren(...options(reading.policies.map((each) => each.label)));
      x.replaceChildren(...options(reading.x?.values ?? ['']));
      x.value = String((reading.x?.values.length ?? 1) - 1);
      xLabel.hidden = reading.x === null;
      xLabel.children[0].textContent = reading.x?.label ?? '';
      y.replaceChildren(...options(reading.y?.values ?? ['']));
      yLabel.hidden = reading.y === null;
      yLabel.children[0].textContent = reading.y?.label ?? '';
      replication.replaceChildren(
        ...options(Array.from({ length: reading.replications }, (_, each) => String(each + 1))),
      );
      replicationLabel.hidden = reading.replications === 1;
      if (wanted !== null) {
        for (const [select, place] of [
          [policy, wanted.policy],
          [x, wanted.x],
          [y, wanted.y],
          [replication, wanted.replication],
        ] as [HTMLSelectElement, number][]) {
          if (place < select.options.length) select.value = String(place);
        }
      }
      offerBeside(wanted === null ? beside.value : String(wanted.beside ?? ''));
      choose();
    },

    deepen,

    /** Closes the run until another one is opened. */
    close() {
      now = null;
      asked += 1;
      section.hidden = true;
      inspected.set(null);
    },

    /** Opens the first replication at a point of the curves. */
    look(policyAt: number, xAt: number, yAt: number) {
      if (now === null) return;
      [policy.value, x.value, y.value, replication.value] = [policyAt, xAt, yAt, 0].map(String);
      offerBeside(beside.value);
      choose();
      void deepen();
      section.focus({ preventScroll: true });
      section.scrollIntoView({ block: 'start' });
    },
  };
}
