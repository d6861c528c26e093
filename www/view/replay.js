/**
 * Inside one run: how much of every link is reserved at an instant, or averaged over the run. The desk
 * worker runs the cell again, keeps it and gives the shares; the page paints them.
 */
import { completeBuild } from '../core.js';
import { byId, make, put } from '../dom.js';
import { instant, percent } from '../format.js';
import { Cancelled } from '../hand.js';
import { chosenJob, clock, dark, inspected, kept, picture as drawn, pointedJob } from '../state.js';
import { texts } from '../texts.js';
import { say, unsay } from './banners.js';

/**
 * @typedef {import('../state.js').Reading} Reading
 * @typedef {import('../pkg/backfill_web.js').ReplayInfo} ReplayInfo
 * @typedef {import('../pkg/backfill_web.js').Spot} Spot
 * @typedef {import('../pkg/backfill_web.js').Picture} Picture
 * @typedef {import('../protocol.js').TraceFile} TraceFile
 * @typedef {import('../protocol.js').Frame} Frame
 */

/** Steps of the time slider; each is a thousandth of the run. */
const STEPS = 1000;
/** The colour scale in pixels. */
const SCALE = { width: 220, height: 12 };

/**
 * @param {import('../hand.js').Hand} desk
 * @param {typeof import('../pkg/backfill_web.js')} core
 * @param {() => Promise<import('../hand.js').Hand>} clerkAtWork gives the worker that explains
 */
export function replayView(desk, core, clerkAtWork) {
  const section = byId('inside');
  const policy = make('select');
  const x = make('select');
  const y = make('select');
  const replication = make('select');
  const xLabel = make('label', {}, make('span', {}), x);
  const yLabel = make('label', {}, make('span', {}), y);
  const replicationLabel = make('label', {}, make('span', {}, texts.replay.replication), replication);
  const average = make('input', { type: 'checkbox' });
  const time = make('input', { type: 'range', min: '0', max: String(STEPS), step: '1', 'aria-label': texts.replay.time });
  const told = make('output');
  const busiest = make('button', { type: 'button' }, texts.replay.busiest);
  const canvas = make('canvas');
  const marker = make('div', { class: 'cell', hidden: true });
  const map = make('div', { class: 'map', tabIndex: 0, role: 'application' }, canvas, marker);
  const rows = make('div', { class: 'rows', 'aria-hidden': 'true' });
  const columns = make('div', { class: 'pods', 'aria-hidden': 'true' });
  const at = make('p', { class: 'at', role: 'status' });
  const jobs = make('p', { class: 'soft figures' });
  const scaleWords = make('span', {});
  const scale = make('canvas', { width: SCALE.width, height: SCALE.height, 'aria-hidden': 'true' });
  byId('replay').append(
    make(
      'div',
      { class: 'pick' },
      make('label', {}, make('span', {}, texts.replay.policy), policy),
      xLabel,
      yLabel,
      replicationLabel,
      make('label', { class: 'check' }, average, make('span', {}, texts.replay.average)),
    ),
    make('div', { class: 'instant' }, busiest, time, told, jobs),
    make('div', { class: 'tree' }, rows, map, columns),
    at,
    make('div', { class: 'scale' }, make('span', {}, '0 %'), scale, scaleWords),
  );

  /** @type {{reading: Reading, trace: TraceFile | null} | null} */
  let now = null;
  /** @type {ReplayInfo | null} */
  let info = null;
  /** @type {Picture | null} */
  let picture = null;
  /** @type {Frame | null} */
  let frame = null;
  /** @type {{x: number, y: number} | null} */
  let pointer = null;

  /** The cell chosen, in scenario order: y, x, policy, replication. */
  function cell() {
    if (now === null) return 0;
    const { reading } = now;
    const xs = reading.x?.values.length ?? 1;
    const policies = reading.policies.length;
    return ((Number(y.value) * xs + Number(x.value)) * policies + Number(policy.value)) * reading.replications + Number(replication.value);
  }

  /** Runs the chosen cell again and shows its busiest instant. */
  let asked = 0;
  async function load() {
    if (now === null) return;
    const mine = (asked += 1);
    const { reading, trace } = now;
    const wanted = cell();
    const deeper = kept.get()?.scenario === reading.text && kept.get()?.cell === wanted && deep;
    if (!deeper) at.textContent = texts.replay.running;
    await desk.cancel();
    if (mine !== asked) return;
    try {
      if (reading.complete || deep) desk.equip(await completeBuild());
      const found = await desk.ask({ type: 'replay', scenario: reading.text, trace, cell: wanted });
      if (mine !== asked) return;
      info = found;
      unsay('replay');
      section.hidden = false;
      if (!deeper) {
        frame = null;
        chosenJob.set(null);
        pointedJob.set(null);
        clock.set(found.busiest);
      }
      kept.set({ scenario: reading.text, trace, cell: wanted, info: found, deep });
      fit();
      await show();
    } catch (error) {
      if (error instanceof Cancelled) return;
      section.hidden = info === null;
      at.textContent = '';
      say('replay', { title: texts.replay.failed, details: error instanceof Error ? error.message : String(error), loud: true });
    }
  }

  /** Whether more is shown than the picture. */
  let deep = false;

  /** Has all that can be seen of the run shown, which takes the complete core. */
  async function deepen() {
    if (deep) return;
    deep = true;
    try {
      const [{ inspector }] = await Promise.all([import('./inspector.js'), completeBuild()]);
      inspector({ desk, core, clerkAtWork });
    } catch {
      // It could not be fetched; the next occasion tries again.
      deep = false;
      return;
    }
    void load();
  }
  new IntersectionObserver((seen) => {
    if (seen.some(({ isIntersecting }) => isIntersecting)) void deepen();
  }).observe(map);

  /** Asks for the shares of the instant; while one question is open, only the last one counts. */
  let open = false;
  let again = false;
  async function show() {
    if (info === null) return;
    if (open) {
      again = true;
      return;
    }
    open = true;
    do {
      again = false;
      const seconds = average.checked ? null : clock.get();
      time.disabled = busiest.disabled = average.checked;
      told.textContent = seconds === null ? texts.replay.averaged : instant(seconds);
      time.setAttribute('aria-valuetext', instant(clock.get()));
      try {
        frame = await desk.ask({ type: 'frame', at: seconds });
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
    if (picture === null || frame === null) return;
    canvas.width = picture.width;
    canvas.height = picture.height;
    put(canvas, picture.paint(frame.shares, frame.paused, dark.get()));
    jobs.textContent = frame.jobs === null ? '' : texts.replay.jobs(...frame.jobs);
    read();
  }

  function paintScale() {
    put(scale, core.paint_scale(SCALE.width, SCALE.height, dark.get()));
  }

  /** Makes the picture as wide as there is room. */
  function fit() {
    if (info === null || map.clientWidth === 0) return;
    picture?.free();
    picture = new core.Picture(info.machine, Math.floor(map.clientWidth * devicePixelRatio));
    rows.replaceChildren(...picture.rows().map((row) => make('span', {}, row)));
    columns.replaceChildren(...picture.columns().map((column) => make('span', {}, column)));
    columns.style.width = `min(100%, ${picture.width / devicePixelRatio}px)`;
    canvas.style.width = `min(100%, ${picture.width / devicePixelRatio}px)`;
    const [, ofScale, ofMap] = picture.words();
    scaleWords.textContent = `100 % ${ofScale}`;
    map.setAttribute('aria-label', ofMap);
    drawn.set({ width: picture.width, height: picture.height });
    paint();
  }

  /** Says what is under the pointer. */
  function read() {
    const spot = pointer === null || picture === null ? undefined : picture.spot(pointer.x, pointer.y);
    marker.hidden = spot === undefined;
    if (spot === undefined || frame === null) {
      at.textContent = texts.replay.hint;
      return;
    }
    const paused = frame.paused.includes(spot.part);
    at.textContent = texts.replay.cell(spot.name, percent(frame.shares[spot.part]), picture?.words()[0] ?? '', paused);
    const zoom = canvas.clientWidth / canvas.width;
    marker.style.left = `${canvas.offsetLeft + spot.left * zoom}px`;
    marker.style.top = `${canvas.offsetTop + spot.top * zoom}px`;
    marker.style.width = marker.style.height = `${spot.size * zoom}px`;
  }

  canvas.onpointermove = canvas.onpointerdown = (event) => {
    const zoom = canvas.width / canvas.clientWidth;
    pointer = { x: Math.floor(event.offsetX * zoom), y: Math.floor(event.offsetY * zoom) };
    read();
  };
  canvas.onpointerleave = () => {
    pointer = null;
    read();
  };
  map.onblur = () => {
    pointer = null;
    read();
  };
  map.onkeydown = (event) => {
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    if (step === undefined || picture === null) return;
    event.preventDefault();
    const spot = pointer === null ? undefined : picture.spot(pointer.x, pointer.y);
    if (spot === undefined) {
      pointer = { x: 0, y: 0 };
    } else {
      // From the middle of this cell on, across a gap where there is one, to the next.
      let ahead = spot.size;
      const middle = Math.floor(spot.size / 2);
      for (; ahead < 3 * spot.size + 32; ahead += 1) {
        const x = spot.left + middle + step[0] * ahead;
        const y = spot.top + middle + step[1] * ahead;
        if (x < 0 || y < 0) break;
        if (picture.spot(x, y) !== undefined) {
          pointer = { x, y };
          break;
        }
      }
    }
    read();
  };

  /** Says and marks which run is looked into, and runs it again. */
  function choose() {
    inspected.set({ policy: Number(policy.value), x: Number(x.value), y: Number(y.value) });
    void load();
  }
  for (const select of [policy, x, y, replication]) select.onchange = choose;
  average.onchange = () => void show();
  time.oninput = () => clock.set(info === null ? 0 : (Number(time.value) / STEPS) * info.span);
  busiest.onclick = () => clock.set(info?.busiest ?? 0);
  clock.watch((seconds) => {
    const step = String(Math.round((info !== null && info.span > 0 ? seconds / info.span : 0) * STEPS));
    if (time.value !== step) time.value = step;
    void show();
  });
  dark.watch(() => {
    paint();
    paintScale();
  });
  new ResizeObserver(() => fit()).observe(map);

  return {
    /**
     * Offers the runs of a scenario, and looks into the first policy's at the last x.
     * @param {Reading} reading
     * @param {TraceFile | null} trace
     */
    open(reading, trace) {
      now = { reading, trace };
      const options = (/** @type {string[]} */ values) => values.map((value, place) => new Option(value, String(place)));
      policy.replaceChildren(...options(reading.policies.map((each) => each.label)));
      x.replaceChildren(...options(reading.x?.values ?? ['']));
      x.value = String((reading.x?.values.length ?? 1) - 1);
      xLabel.hidden = reading.x === null;
      xLabel.children[0].textContent = reading.x?.label ?? '';
      y.replaceChildren(...options(reading.y?.values ?? ['']));
      yLabel.hidden = reading.y === null;
      yLabel.children[0].textContent = reading.y?.label ?? '';
      replication.replaceChildren(...options(Array.from({ length: reading.replications }, (_, each) => String(each + 1))));
      replicationLabel.hidden = reading.replications === 1;
      choose();
    },

    /**
     * Looks into the first replication at a point of the curves.
     * @param {number} policyAt
     * @param {number} xAt
     * @param {number} yAt
     */
    look(policyAt, xAt, yAt) {
      if (now === null) return;
      [policy.value, x.value, y.value, replication.value] = [policyAt, xAt, yAt, 0].map(String);
      choose();
      void deepen();
      section.focus({ preventScroll: true });
      section.scrollIntoView({ block: 'start' });
    },
  };
}
