/**
 * One chart: its heading with the choice of metric, the canvas and the crosshair. The core draws the
 * canvas.
 */
import { computed, signal } from '@preact/signals';
import { inNextFrame, within } from '../dom.ts';
import { mounted } from '../mount.ts';
import { across, dark, facet, hidden, inspected, pointed, summary, up } from '../state.ts';
import { answerTexts } from '../texts/answer.ts';
import { isInside, pointsOn } from './chart-geometry.ts';
import { followInput } from './chart-input.ts';
import { inWords, pointedInWords } from './chart-words.ts';
import { ChartZoom } from './chart-zoom.ts';
import { CopyAs } from './copy-as-button.tsx';
import { SignButton } from './sign-button.tsx';
import type { Signal } from '@preact/signals';
import type { Curves, Geometry, Part, Summary } from '../../pkg/backfill_web.js';
import type { Draw } from '../drawn.ts';
import type { Copyable, Heights, Inspected } from '../state.ts';

/**
 * The drawn numbers, the x pointed at, the point whose run is open, and the visible part of the
 * axis of x and, by metric, of that of values.
 */
export type ChartState = {
  summary: Signal<Summary | null>;
  pointed: Signal<number | null>;
  inspected: Signal<Inspected | null>;
  across: Signal<Part | null>;
  up: Signal<Heights>;
};

/** A box over the drawing, in CSS pixels from its upper left corner. */
export type Box = { left: number; top: number; width?: number; height?: number };

/** Height of a chart, in CSS pixels. */
const HEIGHT = 200;

/** How many there are. */
let made = 0;

export class Chart {
  metric: string;
  height = HEIGHT;
  /** What it is called, by the labels of its metric and of x. */
  label: (metric: string, x: string) => string = answerTexts.chartLabel;
  /** Called whenever the contents or the position pointed at change. */
  marked = () => {};
  /** The curve chosen by the up and down keys, by its position among those shown. */
  curve = 0;
  geometry: Geometry | null = null;
  /** What it is of when it is copied. */
  copied: () => Copyable = () => ({ of: 'metric', metric: this.metric });
  readonly #name = signal('');
  readonly #better = signal('');
  /** Its contents in words, and the id of these. */
  readonly #words = signal('');
  readonly #told = `chart-words-${made++}`;
  readonly open: (policy: number, x: number) => void;
  readonly state: ChartState;
  readonly zoom = new ChartZoom(this);
  readonly #draw: Draw;
  /** Its width, in CSS pixels. */
  #width = 0;
  /** The identity of the axes. */
  #axes = '';
  /** What lies over the drawing: the crosshair, and the point that a press opens. */
  readonly #cross = signal<Box | null>(null);
  readonly aim = signal<Box | null>(null);
  /** The point whose run is open, and the part that is being chosen. */
  readonly #opened = signal<Box | null>(null);
  readonly brush = signal<Box | null>(null);
  readonly figure = mounted(
    <figure class="chart">
      <div class="head">
        <select
          aria-label={answerTexts.metric}
          data-term="metric:"
          onChange={() => {
            this.metric = this.select.value;
            this.show();
          }}
        />
        <span class="better">{this.#better}</span>
        <div
          class="zooms"
          role="group"
          aria-label={computed(() => answerTexts.zoom.label(this.#name.value))}
        >
          <SignButton sign="−" words={answerTexts.zoom.out} act={() => this.zoom.out()} />
          <SignButton sign="+" words={answerTexts.zoom.in} act={() => this.zoom.in()} />
          <button
            type="button"
            data-hint={answerTexts.zoom.wholeHelp}
            onClick={() => this.zoom.reset()}
          >
            {answerTexts.zoom.whole}
          </button>
        </div>
        <CopyAs name={this.#name} chart={() => this.copied()} />
      </div>
      <div class="plot" tabIndex={0} role="slider" aria-describedby={this.#told} aria-valuemin={0}>
        <canvas />
        <Over kind="brush" box={this.brush} />
        <Over kind="cross" box={this.#cross} />
        <Over kind="chosen" box={this.#opened} />
        <Over kind="aim" box={this.aim} />
      </div>
      <figcaption class="unseen" id={this.#told}>
        {this.#words}
      </figcaption>
    </figure>,
  );
  readonly select = within(this.figure, 'select', HTMLSelectElement);
  readonly plot = within(this.figure, '.plot');
  readonly canvas = within(this.figure, 'canvas', HTMLCanvasElement);

  constructor(
    metric: string,
    draw: Draw,
    open: (policy: number, x: number) => void,
    state: ChartState = { summary, pointed, inspected, across, up },
  ) {
    this.metric = metric;
    this.#draw = draw;
    this.open = open;
    this.state = state;
    followInput(this);
    state.across.subscribe(this.later);
    state.up.subscribe(this.later);
  }

  /** Draws it in one of the next frames, as wide as it is then. */
  readonly soon = inNextFrame(() => this.show());

  /** Draws it again in one of the next frames, as wide as before: to measure it takes a layout. */
  readonly later = inNextFrame(() => {
    if (this.#width > 0) this.show(this.#width);
  });

  curves(): Curves | undefined {
    return this.state.summary.peek()?.metrics.find((metric) => metric.name === this.metric);
  }

  /** Says what it is of, also before it is drawn. */
  name() {
    const now = this.state.summary.peek();
    if (now !== null) this.#showHead(now);
  }

  /** @param width if it is not on the page yet, or known */
  show(width: number = this.figure.clientWidth) {
    this.#width = width;
    const now = this.state.summary.peek();
    if (now === null) return;
    const curves = this.#showHead(now);
    this.metric = curves.name;
    this.#keepZoom(now);
    const { across, up } = this.state;
    const seen = { x: across.peek(), y: up.peek()[this.metric] ?? null };
    const off = Uint32Array.from(hidden.peek());
    this.geometry = this.#draw(
      this.canvas,
      this.metric,
      off,
      dark.peek(),
      width,
      this.height,
      seen,
    );
    if (this.geometry?.zoomed === false && (seen.x !== null || seen.y !== null)) this.zoom.reset();
    if (this.geometry?.moving) this.later();
    this.#follow();
  }

  /** What lies over and under the drawing makes the page lay itself out: not in the same frame. */
  readonly #follow = inNextFrame(() => {
    const now = this.state.summary.peek();
    const curves = this.curves();
    if (now !== null && curves !== undefined) this.#words.value = inWords(this, curves, now);
    this.figure.classList.toggle('zoomed', this.geometry?.zoomed ?? false);
    this.mark();
  });

  /** Shows what it is of, and returns it: its metric, or the first if the answer has no such. */
  #showHead({ metrics, x }: Summary) {
    const curves = this.curves() ?? metrics[0];
    if (this.select.options.length !== metrics.length)
      this.select.replaceChildren(...metrics.map(({ label, name }) => new Option(label, name)));
    if (this.select.value !== curves.name) this.select.value = curves.name;
    this.select.hidden = metrics.length === 1;
    this.#better.value = this.select.hidden ? curves.label : answerTexts.better[curves.better];
    this.plot.setAttribute('aria-label', this.label(curves.label, x.label));
    this.#name.value = curves.label;
    this.plot.setAttribute('aria-valuemax', String(x.values.length - 1));
    return curves;
  }

  /** The zoom of other axes does not apply to these; the answer keeps its own. */
  #keepZoom({ x, policies }: Summary) {
    const axes = JSON.stringify([x, policies]);
    if (this.#axes !== '' && this.#axes !== axes) {
      if (this.state.up !== up) this.state.up.value = {};
      if (this.state.across !== across) this.state.across.value = null;
    }
    this.#axes = axes;
  }

  /** The position of an event on the canvas, also while the pointer is outside of it. */
  spotOf(event: MouseEvent) {
    const { left, top } = this.canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  /** The point of the chosen curve at the x pointed at, visible or not. */
  chosenPoint() {
    return this.#point(this.chosenCurve(), this.state.pointed.peek());
  }

  #point(policy: number | undefined, x: number | null) {
    return pointsOn(this.geometry, x).find((point) => point.policy === policy);
  }

  /** The position of the policy of the chosen curve. */
  chosenCurve() {
    const shown = this.shown();
    return shown[Math.min(this.curve, shown.length - 1)]?.position;
  }

  /** The policies whose curves are shown, with their positions. */
  shown() {
    const policies = this.state.summary.peek()?.policies ?? [];
    return policies
      .map((policy, position) => ({ policy, position }))
      .filter(({ position }) => !hidden.peek().has(position));
  }

  /** Rings the point whose run is open. */
  #ring() {
    const at = this.state.inspected.peek();
    const point = at?.y === facet.peek() ? this.#point(at.policy, at.x) : undefined;
    const isSeen = point !== undefined && isInside(this.geometry, point.left, point.top);
    this.#opened.value = isSeen ? { left: point.left, top: point.top } : null;
  }

  /** Moves crosshair and ring to the position pointed at, and reads it out. */
  mark() {
    this.#ring();
    this.marked();
    const at = this.state.pointed.peek();
    const now = this.state.summary.peek();
    const curves = this.curves();
    const { geometry } = this;
    const shown =
      at !== null &&
      now !== null &&
      geometry !== null &&
      curves !== undefined &&
      // The drawing follows the numbers in the next frame: it may still have more values of x.
      at < Math.min(geometry.xs.length, now.x.values.length);
    const isSeen = shown && isInside(geometry, geometry.xs[at]);
    this.#cross.value = isSeen
      ? { left: geometry.xs[at], top: geometry.top, height: geometry.bottom - geometry.top }
      : null;
    if (!isSeen) this.aim.value = null;
    this.plot.setAttribute('aria-valuenow', String(at ?? 0));
    const words = shown ? pointedInWords(this, curves, now, at) : answerTexts.unpointed;
    this.plot.setAttribute('aria-valuetext', words);
  }
}

/** One of the boxes over the drawing. */
function Over({ kind, box }: { kind: string; box: Signal<Box | null> }) {
  const lengths = Object.entries(box.value ?? {}).map(([side, length]) => [side, `${length}px`]);
  return <div class={kind} hidden={box.value === null} style={Object.fromEntries(lengths)} />;
}
