// Makes a first visit to the core: `node www/visit.mjs SCRIPT MODULE`, the script around the core and
// its module, in which a global notes for each function whether it was called. Prints the numbers of
// those that were, as JSON: a page is sent these at once, and the others with its first use.
//
// A first visit runs the scenario that the page opens with, draws its answer, looks into a run, a job
// and a pass, makes links, and tries the lessons and every policy of the fat-tree. Other systems and
// logs take more than looking: the rest is on its way by then.

import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

/** How the numbers of functions are named. */
const CALLED = 'called ';
/** Events between two steps of a run. */
const SLICE = 500;
/** Jobs enough for all that happens in a run to happen. */
const JOBS = 100;
const FEW = { jobs: String(JOBS), reps: '2' };
/** Runs in which queues, free slots and reservations are many. */
const LARGE = [
  { k: '10', jobs: '4000' },
  { k: '16', jobs: '2000' },
  { system: 'nodes', nodes: '1024', bandwidth: 'none', jobs: '10000' },
];
/** The size of what is drawn, in pixels. */
const [WIDTH, HEIGHT] = [900, 150];

const [script, module] = process.argv.slice(2);
const core = await import(pathToFileURL(script).href);
const exports = core.initSync({ module: await readFile(module) });
const NONE = core.Trace.none();

class CanvasRenderingContext2D {}

/** A canvas that knows how wide text is. */
class HTMLCanvasElement {
  getContext() {
    return new Proxy(new CanvasRenderingContext2D(), {
      get: (_, name) => () => (name === 'measureText' ? { width: 50 } : undefined),
      set: () => true,
    });
  }
}

// This is a window, which has a screen.
const Window = { [Symbol.hasInstance]: () => true };
Object.assign(globalThis, {
  CanvasRenderingContext2D,
  HTMLCanvasElement,
  Window,
  devicePixelRatio: 2,
});
const canvas = new HTMLCanvasElement();

/** The canonical text of a scenario, which is shared, opened, and read as one run. */
function read(pairs) {
  const { text, values, problems } = core.read_scenario(pairs);
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('; '));
  for (const isWhole of [false, true])
    core.read_link(core.write_link(text, '', '', undefined, '', isWhole));
  core.read_scenario([...values, ['x', 'none'], ['y', 'none'], ['reps', '1']]);
  return text;
}

/** A run of a cell, to its end. */
function simulate(text, cell, keep) {
  const run = new core.Run(text, cell, NONE, keep);
  while (!run.advance(SLICE)) {
    run.progress();
    run.waiting();
  }
  return run;
}

/** Draws the curves of a metric, all and but one, and their differences, as they begin to move. */
function draw(board, metric, place, isDark) {
  for (const hidden of [[], [0]]) {
    const look = new core.Look(Uint32Array.from(hidden), isDark, WIDTH, HEIGHT);
    look.see({ x: null, y: null }, 0);
    board.draw(canvas, metric, place, look);
    board.draw_differences(canvas, metric, place, look);
    look.free();
  }
}

/** Runs all of a scenario and draws what it says; returns what holds its answer. */
function answer(text) {
  const board = new core.Board(text);
  board.made_by(core.version());
  for (const cell of core.running_order(text)) {
    board.add(simulate(text, cell, core.Keep.Metrics).outcome());
    board.left();
  }
  board.digest();
  board.compared();
  const { metrics, y } = board.summary(0, undefined, false);
  for (const isDark of [false, true])
    for (const { name } of metrics)
      for (const place of y.values.keys()) {
        draw(board, name, place, isDark);
        board.compare(name, place);
        board.by_day(0, place);
      }
  return board;
}

/** Looks into a run. */
function look(text, cell) {
  const replay = simulate(text, cell, core.Keep.Allocations).replay();
  replay.outcome();
  const { machine, span, busiest: at } = replay.info();
  const picture = new core.Picture(machine, WIDTH);
  picture.paint(replay.mean_shares(), replay.paused_at(at), false);
  picture.paint(replay.shares_at(at), replay.paused_at(at), true);
  for (const what of ['columns', 'rows', 'row_heights', 'words']) picture[what]();
  picture.spot(picture.width / 2, picture.height / 2);
  replay.jobs_at(at);
  core.paint_scale(WIDTH, HEIGHT, false);
  core.scale_place(0.5);
  core.why_no_forecast(text);

  const inspector = replay.inspector();
  const { columns, lines } = inspector.about();
  for (const until of [span, at]) {
    inspector.lay_out(WIDTH, HEIGHT, 0, until);
    for (const isDark of [false, true]) inspector.plan(0, 0, isDark);
  }
  for (const line of lines.keys()) inspector.strip(line, WIDTH, HEIGHT, 0, span, false);
  inspector.cells(at, false);
  inspector.cell_rows(at, false, '', 0, 20);
  inspector.held_by_size(at);
  inspector.values(at);
  for (const { name } of columns) inspector.list(name, true, 'outcome=ran');
  const [[job] = [0]] = inspector.rows(0, 20);
  inspector.job_details(job, at);
  inspector.marked(job, at);
  inspector.marks(job, at, WIDTH, false);
  inspector.place_of(job);
  inspector.job_at(WIDTH / 2, HEIGHT / 2);
  inspector.spot_of(0, WIDTH);
  inspector.step(at, 1);
  inspector.next_decision(at, false);
  inspector.pass_of(text, cell, NONE, at);
  inspector.pass('upTo', at);
  for (const held of [inspector, picture, replay]) held.free();
}

/** Begins a run, and a log whose name is not ASCII, and gives them up. */
function giveUp() {
  const run = new core.Run('', 0, NONE, core.Keep.Metrics);
  run.advance(SLICE);
  run.free();
  new core.TraceLoader('Zürich.swf', 'swf', 'alloc-then-req', 'drop', '').free();
}

/** The policies of these parts with which the core takes a scenario. */
function possible(parts, scenario) {
  const policies = parts.map(({ value }) => value);
  return policies.filter((policy) => {
    const { problems } = core.read_scenario(Object.entries({ ...scenario, policy }));
    return problems.length === 0;
  });
}

/** Whoever asks for the rest and does not get it hears why. */
function wantRest() {
  const error = new Error('no network');
  core.on_rest_wanted(() => {
    throw error;
  });
  try {
    core.want_rest();
  } catch (thrown) {
    if (thrown !== error) throw thrown;
  }
  core.on_rest_wanted(() => {});
  core.want_rest();
}

core.on_panic(() => {});
wantRest();
core.glossary();
core.forecast_usual();
core.new_seed();
giveUp();
core.read_scenario([['load', 'much']]);
const { keys, queues, placements, lessons } = core.tables();
for (const { name, choices } of keys)
  for (const { value } of choices) core.read_scenario([[name, value]]);
const shown = answer(read([]));
const changed = new core.Board(read([['seed', '7']]));
changed.replace(shown);
changed.left();
for (const { name } of changed.summary(0, undefined, false).metrics) draw(changed, name, 0, false);
changed.free();
for (const cell of core.running_order(read([])).slice(-8)) look(read([]), cell);
for (const { pairs } of lessons) look(read(pairs), 0);
const ON_TREE = { ...FEW, k: '4', x: 'none' };
for (const placement of placements) {
  const policies = queues.map(({ value }) => ({ value: `${value}+${placement.value}` }));
  const here = possible(policies, ON_TREE);
  if (here.length > 0) answer(read(Object.entries({ ...ON_TREE, policy: here.join() })));
}
for (const pairs of LARGE)
  answer(read(Object.entries({ ...pairs, load: '0.9', x: 'none', reps: '1' })));
NONE.free();

const called = Object.keys(exports).filter(
  (name) => name.startsWith(CALLED) && exports[name].value === 1,
);
console.log(JSON.stringify(called.map((name) => Number(name.slice(CALLED.length)))));
