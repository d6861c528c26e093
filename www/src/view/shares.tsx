/**
 * The picture of the shares of links at an instant: its cells, their names, the scale of colours, and
 * the cell pointed at in words. The core paints.
 */
import { signal } from '@preact/signals';
import { inNextFrame, put, within } from '../dom.ts';
import { percent } from '../format.ts';
import { mount, mounted } from '../mount.ts';
import { dark, frame, picture as laid, pointedCell, saidBeside, used } from '../state.ts';
import { replayTexts } from '../texts/replay.ts';
import { CopyAs } from './copy-as-button.tsx';
import { Key } from './key.tsx';
import { mapView, nameColumns } from './map.tsx';
import { RAMP, Ramp } from './scale.tsx';
import type { Picture, ReplayInfo } from '../../pkg/backfill_web.js';
import type { Core } from '../core.ts';

/** The limit of what is printed as 100.0 %: sums of shares differ by rounding. */
const ROUNDED = 1.0005;
/** The labelled shares of the colour scale; an empty cell has a colour of its own. */
const NUMBERED = [0.4, 0.8, 0.9, 1];

export class Shares {
  readonly map = mapView();
  readonly elements: HTMLElement[];
  readonly #core: Core;
  /** The names of rows and columns, and what the numbers of columns count. */
  readonly #rows: HTMLElement;
  readonly #columns: HTMLElement;
  readonly #numbered = signal('');
  readonly #status = signal('');
  readonly #jobs = signal('');
  readonly #scaleWords = signal('');
  /** Whether a share was more than the whole. */
  readonly #isOver = signal(false);
  #picture: Picture | null = null;
  #machine: ReplayInfo['machine'] | null = null;

  constructor(core: Core) {
    this.#core = core;
    const tree = mounted(
      <div class="tree">
        <div class="rows" aria-hidden="true" />
        <div class="pods-of soft" aria-hidden="true">
          {this.#numbered}
        </div>
        <div class="pods" aria-hidden="true" />
        <p class="soft figures told first">{this.#jobs}</p>
      </div>,
    );
    this.#rows = within(tree, '.rows');
    this.#columns = within(tree, '.pods');
    this.#rows.after(this.map.element);
    const scale = mounted(<this.Scale />);
    const colours = within(scale, 'canvas', HTMLCanvasElement);
    this.elements = [
      tree,
      mounted(
        <p class="at" role="status">
          {this.#status}
        </p>,
      ),
      scale,
    ];
    pointedCell.subscribe(() => this.#read());
    saidBeside.subscribe(() => this.#read());
    dark.subscribe(() => {
      this.paint();
      put(colours, core.paint_scale(RAMP.width, RAMP.height, dark.peek()));
    });
    new ResizeObserver(inNextFrame(() => this.fit())).observe(this.map.element);
  }

  readonly Scale = () => (
    <div class="scale" id="shares-scale">
      <Key kind="idle" words={replayTexts.upTo(0)} />
      <Ramp
        marks={NUMBERED.map((share) => [this.#core.scale_place(share), replayTexts.upTo(share)])}
      />
      <span>{this.#scaleWords}</span>
      <Key kind="over" words={this.#isOver.value ? replayTexts.over : null} />
      <CopyAs name={replayTexts.machine} chart={() => ({ of: 'run' })} />
    </div>
  );

  /** Says something in place of the cell pointed at. */
  report(words: string) {
    this.#status.value = words;
  }

  /** Shows the machine of another run; no share of it is more than the whole yet. */
  show(machine: ReplayInfo['machine']) {
    this.#machine = machine;
    this.#isOver.value = false;
  }

  /** Makes the picture as wide as the room allows. */
  fit() {
    const { element } = this.map;
    if (this.#machine === null || element.clientWidth === 0) return;
    this.#picture?.free();
    const width = Math.floor(element.clientWidth * devicePixelRatio);
    const picture = new this.#core.Picture(this.#machine, width);
    this.#picture = picture;
    const words = used.peek() ? picture.words().map(replayTexts.inUse) : picture.words();
    const [rows, columns] = [picture.rows(), picture.columns()];
    mount(
      rows.map((row, place) => <span key={place}>{row}</span>),
      this.#rows,
    );
    // What is left is that of further lines of blocks.
    const heights = [...picture.row_heights()];
    heights.push(Math.max(0, 1 - heights.reduce((sum, height) => sum + height, 0)));
    const bands = heights.map((height) => `minmax(0, ${height}fr)`).join(' ');
    this.#rows.style.setProperty('--bands', bands);
    const [, ofScale, ofMap] = words;
    this.#scaleWords.value = ofScale;
    element.setAttribute('aria-label', ofMap);
    // With the same layout the cells keep their positions.
    const before = laid.peek();
    if (before?.width !== picture.width || before?.height !== picture.height)
      pointedCell.value = null;
    const now = {
      width: picture.width,
      height: picture.height,
      spot: (x: number, y: number) => this.#picture?.spot(x, y),
      columns,
      words,
    };
    this.#numbered.value = nameColumns(this.#columns, now);
    laid.value = now;
    this.paint();
  }

  /** Paints the shares of the instant. */
  paint() {
    const now = frame.peek();
    if (this.#picture === null || now === null) return;
    this.map.show(this.#picture.paint(now.shares, now.paused, dark.peek()));
    this.#jobs.value = now.jobs === null ? '' : replayTexts.jobs(...now.jobs);
    if (now.shares.some((share) => share > ROUNDED)) this.#isOver.value = true;
    this.#read();
  }

  /** Shows the cell under the pointer in words. */
  #read() {
    const spot = pointedCell.peek();
    const now = frame.peek();
    if (spot === null || now === null) {
      this.report(replayTexts.hint);
      return;
    }
    const { name, part } = spot;
    const of = laid.peek()?.words[0] ?? '';
    const words = replayTexts.cell(name, percent(now.shares[part]), of, now.paused.includes(part));
    this.report(words + saidBeside.peek());
  }
}
