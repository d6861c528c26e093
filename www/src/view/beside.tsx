/**
 * A second run beside the opened one, in lock-step with it, and the picture of the difference. And
 * the pictures as numbers: a sentence, and a table. The worker paints; the clock is that of the
 * page.
 */
import { signal } from '@preact/signals';
import { latest, put, within } from '../dom.ts';
import { percent } from '../format.ts';
import { mounted } from '../mount.ts';
import {
  averaged,
  clock,
  dark,
  frame,
  kept,
  picture,
  pointedCell,
  saidBeside,
  used,
} from '../state.ts';
import { besideTexts as said } from '../texts/beside.ts';
import { replayTexts } from '../texts/replay.ts';
import { CellsTable, pointsBetween } from './cells-table.tsx';
import { Key } from './key.tsx';
import { mapView, nameColumns } from './map.tsx';
import { labelOf } from './other-passes.ts';
import { RAMP, Ramp } from './scale.tsx';
import { treeOfRun } from './tree.tsx';
import type { Cells } from '../../pkg/backfill_web.js';
import type { Core } from '../core.ts';
import type { InspectorCall } from '../worker/messages.ts';
import type { Look } from './inspector.ts';

type CellsCall = InspectorCall<'cells'>;
type RowsCall = InspectorCall<'cell_rows'>;

/** The labelled differences of the colour scale, in points. */
const NUMBERED = [-100, -20, 0, 20, 100];
/** The limit of what is printed as 100.0 points. */
const ROUNDED = 1.0005;

export function besideView(look: Look, core: Core) {
  return { element: new BesideView(look, core).element };
}

class BesideView {
  readonly #look: Look;
  readonly #tree = treeOfRun();
  readonly #first = mounted(<h3 class="of first" hidden={true} />);
  readonly #second = new OtherPicture(this.#tree, 'second');
  readonly #difference = new OtherPicture(this.#tree, 'third');
  readonly #colours: HTMLCanvasElement;
  /** Whether there are two runs, and whether a difference is more than the scale has. */
  readonly #isDouble = signal(false);
  readonly #isOver = signal(false);
  readonly #summary = mounted(<p class="soft" id="cells-told" />);
  readonly #cells = new CellsTable(() => void this.#show());
  readonly element = mounted(<section class="cells" />);
  /** The shares of both runs, one after the other, while there are two. */
  #both: Float32Array | null = null;

  constructor(look: Look, core: Core) {
    this.#look = look;
    this.#tree.prepend(this.#first);
    this.element.append(
      mounted(
        <this.Legend
          marks={NUMBERED.map((points) => [placeOf(core, points), said.mark(points)])}
        />,
      ),
      this.#summary,
      this.#cells.element,
    );
    this.#colours = within(this.element, 'canvas', HTMLCanvasElement);
    for (const map of this.#tree.querySelectorAll('.map, .drawing'))
      map.setAttribute('aria-describedby', this.#summary.id);
    kept.subscribe(() => {
      // The sentence about another run does not apply to this one.
      this.#summary.textContent = '';
      this.#cells.clear();
      this.#arrange();
      this.#name();
    });
    picture.subscribe(() => this.#name());
    for (const each of [picture, frame, dark]) each.subscribe(() => void this.#show());
    pointedCell.subscribe(() => this.#read());
  }

  readonly Legend = ({ marks }: { marks: [number, string][] }) => (
    <div class="scale" hidden={!this.#isDouble.value}>
      <span>{said.scale[0]}</span>
      <Ramp marks={marks} />
      <span>{said.scale[1]}</span>
      <Key kind="over" words={this.#isOver.value ? said.scale[2] : null} />
    </div>
  );

  readonly #show = latest(async () => {
    const run = kept.peek();
    const laid = picture.peek();
    // The numbers describe the picture, which comes first.
    if (run === null || !run.deep || laid === null || frame.peek() === null) return;
    const at = averaged.peek() ? undefined : clock.peek();
    const { name, from, count } = this.#cells.wanted();
    const calls: [CellsCall, RowsCall] = [
      ['cells', at, used.peek()],
      ['cell_rows', at, used.peek(), name, from, count],
    ];
    const answers =
      run.beside === null
        ? await this.#look(...calls)
        : await this.#look(
            ...calls,
            ['both_shares', at, used.peek()],
            ['paint_beside', at, used.peek(), laid.width, dark.peek()],
            ['paint_difference', at, used.peek(), laid.width, dark.peek()],
            ['paint_contrast', RAMP.width, RAMP.height, dark.peek()],
          );
    if (answers === null) return;
    const [cells, rows] = answers;
    this.#both = null;
    if (answers.length === 6) {
      const [, , shares, ofSecond, ofDifference, colours] = answers;
      this.#both = shares;
      this.#second.map.show(ofSecond);
      this.#difference.map.show(ofDifference);
      put(this.#colours, colours);
      this.#isOver.value = isOver(shares);
      const jobs = cells.beside?.jobs;
      this.#second.jobs.textContent = jobs ? replayTexts.jobs(...jobs) : '';
    }
    this.#summary.textContent = describe(cells, laid.words[0]);
    if (count > 0) this.#cells.fill(rows, this.#both !== null);
    this.#read();
  });

  /** Shows the cell pointed at in the second run. */
  #read() {
    const spot = pointedCell.peek();
    const both = this.#both;
    if (spot === null || both === null) {
      saidBeside.value = '';
      return;
    }
    const other = both[both.length / 2 + spot.part];
    saidBeside.value = said.cell(percent(other), pointsBetween(both[spot.part], other));
  }

  /** Arranges one picture or three. */
  #arrange() {
    const run = kept.peek();
    const label = run?.beside ?? null;
    this.#tree.classList.toggle('three', label !== null);
    this.#first.hidden = label === null;
    this.#isDouble.value = label !== null;
    for (const part of [...this.#second.parts, ...this.#difference.parts])
      part.hidden = label === null;
    if (run === null || label === null) {
      this.#both = null;
      saidBeside.value = '';
      return;
    }
    this.#first.textContent = said.first(labelOf(run));
    this.#second.head.textContent = said.second(label);
    this.#difference.head.textContent = said.difference;
  }

  /** Labels the pictures. */
  #name() {
    const laid = picture.peek();
    const label = kept.peek()?.beside ?? null;
    if (laid === null || label === null) return;
    const [, , ofMap] = laid.words;
    this.#second.map.element.setAttribute('aria-label', said.ofSecond(ofMap, label));
    this.#difference.map.element.setAttribute('aria-label', said.differenceOf(ofMap));
    for (const { columns } of [this.#second, this.#difference]) nameColumns(columns, laid);
  }
}

/** A further picture of the machine, with its heading. */
class OtherPicture {
  readonly head: HTMLElement;
  readonly jobs: HTMLElement;
  readonly map = mapView();
  readonly columns: HTMLElement;
  readonly parts: HTMLElement[];

  /** @param place its class */
  constructor(tree: HTMLElement, place: string) {
    this.head = mounted(<h3 class={`of ${place}`} />);
    this.jobs = mounted(<p class={`soft told ${place}`} />);
    this.map.element.classList.add(place);
    this.columns = mounted(<div class={`pods ${place}`} aria-hidden="true" />);
    this.parts = [this.head, this.map.element, this.columns, this.jobs];
    tree.append(...this.parts);
  }
}

/** The place of a difference: as the scale of shares is finer near full, this is near none. */
function placeOf(core: Core, points: number) {
  return (1 + Math.sign(points) * (1 - core.scale_place(1 - Math.abs(points) / 100))) / 2;
}

/** Whether a difference is more than 100 points. */
function isOver(shares: Float32Array) {
  const others = shares.subarray(shares.length / 2);
  return others.some((other, part) => Math.abs(shares[part] - other) > ROUNDED);
}

/** Describes the pictures in a sentence. */
function describe({ mean, beside, parts, furthest }: Cells, what: string) {
  if (beside === null) return said.summary(percent(mean), what, parts);
  const points = furthest === null ? 0 : pointsBetween(furthest.share, furthest.beside ?? 0);
  const isApart = furthest !== null && beside.more + beside.less > 0;
  const words = isApart ? said.furthest(furthest.name, points) : '';
  const { more, less } = beside;
  return said.summaryOfBoth(percent(mean), percent(beside.mean), what, more, less, parts, words);
}
