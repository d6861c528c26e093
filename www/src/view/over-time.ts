/**
 * A run over time: use, waiting jobs, and allocations of slots, with one cursor through all of it;
 * and the same for a run compared with. The worker paints; the page moves the cursor, plays and
 * zooms.
 */
import { make, put } from '../dom.ts';
import { cell, instant, percent, span, whole } from '../format.ts';
import { chosenJob, clock, dark, pointedJob, trace } from '../state.ts';
import { besideTexts } from '../texts/beside.ts';
import { overTimeTexts } from '../texts/over-time.ts';
import { latest } from '../latest.ts';
import { ticks } from '../ticks.ts';
import { RAMP, key } from './scale.ts';
import type { Core } from '../core.ts';
import type { InspectorCall } from '../worker/messages.ts';
import type { Look, Run } from './inspector.ts';

type DrawCall = InspectorCall<'plan' | 'plan_beside'>;
type StripCall = InspectorCall<'strip'>;
type ValuesCall = InspectorCall<'values' | 'values_beside'>;

/** The height of a chart and of the plan, in CSS pixels. */
const STRIP = 46;
const PLAN = 300;
/** The height of each of two plans. */
const PLAN_OF_TWO = 200;
/** How many seconds it takes to play a whole run. */
const SECONDS = [120, 60, 30, 15, 5];
/** The zoom of one step, and the least visible part of a run. */
const ZOOM = 2;
const CLOSEST = 1 / 4096;
/** The room in CSS pixels for a tick of the time axis, and for the name of a block of the plan. */
const MARK = 76;
const NAME = 15;

export function timeView(look: Look, core: Core) {
  const said = overTimeTexts;
  const button = (sign: string, words: string, onclick: () => void) =>
    make('button', { type: 'button', 'aria-label': words, 'data-hint': words, onclick }, sign);
  const play = make(
    'button',
    { type: 'button', onclick: () => (playing === 0 ? start() : stop()) },
    said.play,
  );
  const speed = make(
    'select',
    {},
    ...SECONDS.map((seconds) => new Option(said.inSeconds(seconds), String(seconds))),
  );
  speed.value = '30';
  const colouring = make('select');
  const stack = make('div', {
    class: 'stack',
    tabIndex: 0,
    role: 'slider',
    'aria-label': said.label,
    'aria-valuemin': '0',
    'aria-valuenow': '0',
  });
  const cursor = make('div', { class: 'cursor', 'aria-hidden': 'true' });
  const under = make('p', { class: 'at under' });
  const scale = make('canvas', { ...RAMP, 'aria-hidden': 'true' });
  const least = make('span');
  const most = make('span');
  const neighbours = make('span');
  const legend = make('div', { class: 'scale' }, least, scale, most, neighbours);
  const moved = make('p', { class: 'soft moved', hidden: true });
  const both = make('p', { class: 'soft both-runs', hidden: true });
  const axis = make('div', { class: 'axis', 'aria-hidden': 'true' });
  const ofAxis = make('div', { class: 'called soft' });
  const element = make(
    'section',
    { class: 'over-time', 'aria-label': said.title },
    make('h3', {}, said.title),
    make(
      'div',
      { class: 'pick' },
      make(
        'div',
        { class: 'group-of' },
        button('◂', said.back, () => void step(-1)),
        play,
        button('▸', said.ahead, () => void step(1)),
      ),
      make('label', {}, make('span', {}, said.speed), speed),
      make(
        'div',
        { class: 'group-of' },
        button('−', said.zoomOut, () => zoom(ZOOM)),
        button('+', said.zoomIn, () => zoom(1 / ZOOM)),
        make('button', { type: 'button', onclick: () => zoom(Infinity) }, said.whole),
      ),
      make('label', {}, make('span', {}, said.colour), colouring),
    ),
    both,
    stack,
    under,
    legend,
    moved,
  );

  let run: Run | null = null;
  /** The visible period, in seconds. */
  let seen = { from: 0, until: 1 };
  let lines: { canvas: HTMLCanvasElement; value: HTMLElement }[] = [];
  /** The plan of the run and of the one compared with, if any; jobs are the same in both. */
  const [own, other] = (['', '_beside'] as const).map((run) => {
    const canvas = make('canvas', { class: 'plan' });
    const blocks = make('div', { class: 'blocks', 'aria-hidden': 'true' });
    return {
      canvas,
      blocks,
      draws: `plan${run}` as const,
      reads: `job_at${run}` as const,
      details: `job_details${run}` as const,
    };
  });
  const plan = own.canvas;
  const plans = () => (run?.kept.beside == null ? [own] : [own, other]);

  /** Whether a slot of the plan is lower than a pixel. */
  let isDense = false;

  /** The time of the first submit, in seconds since 1970, if the log states it. */
  function firstSubmit() {
    const logged = run?.about.logged ?? null;
    const begins = run?.kept.trace == null ? null : (trace.get()?.report.begins ?? null);
    return logged === null || begins === null ? null : begins + logged;
  }

  /** The width of the canvases in CSS pixels. */
  const room = () => Math.max(1, Math.floor(plan.parentElement?.clientWidth ?? 1));

  const paint = latest(async () => {
    if (run === null || stack.clientWidth === 0) return;
    const ratio = devicePixelRatio;
    const width = Math.floor(room() * ratio);
    const height = Math.round(STRIP * ratio);
    const { from, until } = seen;
    const column = Number(colouring.value);
    const shown = plans();
    const answers = await look(
      [
        'lay_out',
        width,
        Math.round((shown.length === 1 ? PLAN : PLAN_OF_TWO) * ratio),
        from,
        until,
      ],
      ...shown.map(
        ({ draws }) =>
          [draws, column, pointedJob.get() ?? chosenJob.get() ?? undefined, dark.get()] as DrawCall,
      ),
      ...lines.map(
        (_, line) => ['strip', line, width, height, from, until, dark.get()] as StripCall,
      ),
    );
    if (answers === null) return;
    const [laid, ...pictures] = answers;
    const strips = pictures.splice(shown.length);
    shown.forEach(({ canvas, blocks }, place) => {
      size(canvas, width, laid.height);
      put(canvas, pictures[place]);
      const every = Math.ceil((NAME * ratio) / Math.max(1, laid.block));
      [...blocks.children].forEach((name, block) => {
        (name as HTMLElement).style.top = `${laid.tops[block] / ratio}px`;
        (name as HTMLElement).style.height = `${laid.block / ratio}px`;
        (name as HTMLElement).hidden = block % every > 0;
      });
    });
    strips.forEach((strip, line) => {
      size(lines[line].canvas, width, height);
      put(lines[line].canvas, strip);
    });
    const begins = firstSubmit();
    ofAxis.textContent = begins === null ? said.sinceFirst : said.dates;
    axis.replaceChildren(
      ...ticks(from, until, Math.max(2, Math.floor(room() / MARK)), begins).map(({ at, label }) => {
        const mark = make('span', {}, label);
        mark.style.left = `${((at - from) / (until - from)) * 100}%`;
        return mark;
      }),
    );
    isDense = laid.dense;
    showScale();
    place();
  });

  const read = latest(async () => {
    if (run === null) return;
    const calls: ValuesCall[] = [['values', clock.get()]];
    if (run.kept.beside !== null) calls.push(['values_beside', clock.get()]);
    const answers = await look(...calls);
    if (answers === null || run === null) return;
    const words = run.about.lines.map(({ unit }, line) => {
      const values = answers.map((each) => (unit === '' ? percent(each[line]) : whole(each[line])));
      const named =
        values.length === 1 ? values : values.map((value, place) => said.ofRun(place, value));
      lines[line].value.replaceChildren(...named.map((words) => make('span', {}, words)));
      return named.join(', ');
    });
    const described = run.about.lines.map(({ label }, line) => `${label} ${words[line]}`);
    stack.setAttribute('aria-valuenow', String(clock.get()));
    stack.setAttribute('aria-valuetext', `${instant(clock.get())}: ${described.join(', ')}`);
  });

  function place() {
    const share = (clock.get() - seen.from) / (seen.until - seen.from);
    cursor.hidden = share < 0 || share > 1;
    const box = plan.parentElement;
    if (box !== null) cursor.style.left = `${box.offsetLeft + share * room()}px`;
  }

  function zoom(factor: number) {
    if (run === null) return;
    const { span } = run.kept.info;
    const length = Math.min(span, Math.max((seen.until - seen.from) * factor, span * CLOSEST));
    centre(length, clock.get());
  }

  /** Shows a period of that length around an instant, within the run. */
  function centre(length: number, middle: number) {
    if (run === null) return;
    const from = Math.min(
      Math.max(0, middle - length / 2),
      Math.max(0, run.kept.info.span - length),
    );
    seen = { from, until: from + Math.max(length, 1e-6) };
    void paint();
  }

  async function step(by: number) {
    stop();
    const answers = await look(['step', clock.get(), by]);
    if (answers !== null) clock.set(answers[0]);
  }

  // Playing.

  /** The next frame, while it plays. */
  let playing = 0;
  let before = 0;

  function start() {
    if (run === null) return;
    if (clock.get() >= run.kept.info.span) clock.set(0);
    play.textContent = said.pause;
    before = performance.now();
    playing = requestAnimationFrame(go);
  }

  function stop() {
    cancelAnimationFrame(playing);
    playing = 0;
    play.textContent = said.play;
  }

  function go(now: number) {
    playing = requestAnimationFrame(go);
    if (run === null) return;
    // With reduced motion it moves twice a second.
    const pause = matchMedia('(prefers-reduced-motion: reduce)').matches ? 500 : 0;
    if (now - before < pause) return;
    const { span } = run.kept.info;
    const next = clock.get() + ((now - before) / 1000) * (span / Number(speed.value));
    before = now;
    clock.set(Math.min(next, span));
    if (next >= span) stop();
  }

  // Pointing.

  function timeAt(event: PointerEvent) {
    const box = plan.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    return seen.from + share * (seen.until - seen.from);
  }

  let dragged = false;
  stack.onpointerdown = (event) => {
    if (!(event.target instanceof HTMLCanvasElement)) return;
    dragged = true;
    stop();
    clock.set(timeAt(event));
  };
  stack.onpointermove = (event) => {
    if (dragged && event.buttons !== 0) clock.set(timeAt(event));
  };
  stack.onpointerup = stack.onpointercancel = () => {
    dragged = false;
  };

  /** The position of the pointer, and its plan. */
  let pointer: { x: number; y: number; on: typeof own } | null = null;
  const point = latest(async () => {
    if (pointer === null) {
      pointedJob.set(null);
      return;
    }
    const answers = await look([pointer.on.reads, pointer.x, pointer.y]);
    if (answers !== null && pointer !== null) pointedJob.set(answers[0] ?? null);
  });
  for (const on of [own, other]) {
    const { canvas, reads } = on;
    const spot = (event: MouseEvent) => ({
      x: Math.floor((event.offsetX * canvas.width) / canvas.clientWidth),
      y: Math.floor((event.offsetY * canvas.height) / canvas.clientHeight),
    });
    canvas.onpointermove = (event) => {
      pointer = { ...spot(event), on };
      void point();
    };
    canvas.onpointerleave = () => {
      pointer = null;
      void point();
    };
    canvas.onclick = async (event) => {
      const { x, y } = spot(event);
      const answers = await look([reads, x, y]);
      if (answers !== null) chosenJob.set(answers[0] ?? null);
    };
  }

  stack.onkeydown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || run === null) return;
    const many = event.shiftKey ? 10 : 1;
    const keys: { [key: string]: () => void } = {
      ArrowRight: () => void step(many),
      ArrowUp: () => void step(many),
      ArrowLeft: () => void step(-many),
      ArrowDown: () => void step(-many),
      Home: () => clock.set(0),
      End: () => clock.set(run?.kept.info.span ?? 0),
      ' ': () => play.click(),
      '+': () => zoom(1 / ZOOM),
      '-': () => zoom(ZOOM),
      0: () => zoom(Infinity),
    };
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };

  clock.watch((now) => {
    if (run === null) return;
    const { from, until } = seen;
    if (now < from || now > until) centre(until - from, now);
    place();
    void read();
  });
  const sayPointed = latest(async () => {
    const job = pointedJob.get();
    const on = pointer?.on ?? own;
    const answers = job === null ? null : await look([on.details, job, clock.get()]);
    if (answers === null || run === null) {
      under.textContent = said.hint;
      return;
    }
    const { columns, left_out, outcomes } = run.about;
    const shown = columns.flatMap(({ label, kind }, column) =>
      left_out.includes(column) ? [] : `${label} ${cell(kind, answers[0].row[column], outcomes)}`,
    );
    const words = shown.join(' · ');
    under.textContent = plans().length === 1 ? words : said.ofRun(on === own ? 0 : 1, words);
  });
  for (const atom of [chosenJob, pointedJob]) atom.watch(() => void paint());
  pointedJob.watch(() => void sayPointed());
  colouring.onchange = () => {
    showScale();
    void paint();
  };
  dark.watch(() => {
    put(scale, core.paint_scale(RAMP.width, RAMP.height, dark.get()));
    void paint();
  });
  new ResizeObserver(() => void paint()).observe(stack);

  function showScale() {
    if (run === null) return;
    const { columns, colourings, outcomes } = run.about;
    const column = Number(colouring.value);
    const end = colourings.find((each) => each.column === column)?.most ?? null;
    for (const part of [least, scale, most]) part.hidden = end === null;
    neighbours.hidden = end !== null;
    neighbours.textContent = isDense ? said.dense : said.apart;
    const { kind } = columns[column];
    least.textContent = cell(kind, 0, outcomes);
    most.textContent = said.most(cell(kind, end, outcomes), columns[column].label);
  }

  return {
    element,

    show(now: Run) {
      run = now;
      const { about, kept } = now;
      seen = { from: 0, until: Math.max(kept.info.span, 1e-6) };
      stack.setAttribute('aria-valuemax', String(kept.info.span));
      lines = about.lines.map(() => ({
        canvas: make('canvas'),
        value: make('span', { class: 'value' }),
      }));
      const rows = about.lines.flatMap(({ label, unit, most }, line) => [
        make(
          'div',
          { class: 'called' },
          label,
          make('span', { class: 'soft' }, said.upTo(unit === '' ? percent(most) : whole(most))),
        ),
        lines[line].value,
        make('div', { class: 'drawn-line' }, lines[line].canvas),
      ]);
      moved.hidden = about.moves.every(({ migrations }) => migrations === 0);
      const keys = [
        key('edge', said.mark),
        ...(about.moves.some(({ paused }) => paused > 0) ? [key('hatched', said.hatched)] : []),
      ];
      const moves = about.moves.map(({ jobs, migrations, paused }, place) => {
        const words = said.moved(jobs, migrations, paused > 0 ? span(paused) : null);
        return make(
          'span',
          { class: 'line' },
          about.moves.length === 1 ? words : said.ofRun(place, words),
        );
      });
      moved.replaceChildren(...keys, ...moves);
      both.hidden = kept.beside === null;
      const names = [besideTexts.first(kept.label), besideTexts.second(kept.beside ?? '')];
      both.replaceChildren(key('area', names[0]), key('dashed', names[1]));
      const planned = plans().flatMap(({ canvas, blocks }, place, { length }) => {
        blocks.replaceChildren(...about.blocks.map((name) => make('span', {}, name)));
        return [
          ...(length === 1 ? [] : [make('div', { class: 'plan-of' }, names[place])]),
          make(
            'div',
            { class: 'called names' },
            make(
              'span',
              { class: about.blocks.length === 0 ? '' : 'narrow-only' },
              said.plan(about.blocks),
            ),
            blocks,
          ),
          make('div', { class: 'drawn-line' }, canvas),
        ];
      });
      stack.replaceChildren(...rows, ...planned, ofAxis, axis, cursor);
      const kind = colouring.value;
      colouring.replaceChildren(
        ...about.colourings.map(
          ({ column }) => new Option(about.columns[column].label, String(column)),
        ),
      );
      if (about.colourings.some(({ column }) => String(column) === kind)) colouring.value = kind;
      showScale();
      void paint();
      void read();
    },
  };
}

/** Gives a canvas that many device pixels, and its height in the page. */
function size(canvas: HTMLCanvasElement, width: number, height: number) {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  canvas.style.height = `${height / devicePixelRatio}px`;
}
