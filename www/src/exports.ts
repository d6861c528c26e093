/** The files of a result, to save or copy. The core writes them, as the command line does. */
import { cellAt, facet, sizesOf } from './state.ts';
import { SCREEN, pictureOf } from './view/export-file.ts';
import type { Reading } from './state.ts';
import type { Written } from './view/export-file.ts';
import type { BoardCall } from './worker/messages.ts';

/** What saving needs from the page. */
export interface Exporting {
  /** The texts of methods of the board. */
  write: (calls: BoardCall[]) => Promise<string[]>;
  paint: (
    canvas: HTMLCanvasElement,
    metric: string,
    width: number,
    height: number,
    ratio: number,
  ) => void;
  /** The jobs of a run, as a log. */
  log: (cell: number) => Promise<string>;
  trace: () => { name: string; sha256: string; jobs: number } | null;
}

/** A metric, and the width of its chart in inches if it is for paper. */
interface Figure {
  metric: string;
  inches: string;
}

/** What is saved: a figure, and a run by positions. */
export interface Exported extends Figure {
  policy: string;
  x: string;
  replication: string;
}

/** Pixels of a figure to the inch on paper, and dots to the inch of its picture. */
const TO_THE_INCH = 108;
const DOTS = 300;
const ASPECT = 0.62;

/** The chart of a metric as an SVG. */
export async function svgOf({ write }: Exporting, { metric, inches }: Figure): Promise<Written> {
  const [stem, text] = await write([
    ['stem', metric, facet.peek()],
    ['svg', metric, facet.peek(), inches === '' ? undefined : Number(inches)],
  ]);
  return { name: `${stem}.svg`, contents: text, type: 'image/svg+xml' };
}

/** The chart of a metric as a picture. */
export async function pngOf(
  { write, paint }: Exporting,
  { metric, inches }: Figure,
): Promise<Written> {
  const [stem] = await write([['stem', metric, facet.peek()]]);
  const size =
    inches === ''
      ? SCREEN
      : {
          width: Math.floor(Number(inches) * TO_THE_INCH),
          height: Math.floor(Number(inches) * TO_THE_INCH * ASPECT),
          ratio: DOTS / TO_THE_INCH,
        };
  return pictureOf(`${stem}.png`, (canvas) =>
    paint(canvas, metric, size.width, size.height, size.ratio),
  );
}

/** The chart of a metric as source for pgfplots, and the numbers that it reads. */
export async function latexOf(
  { write }: Exporting,
  { metric }: Pick<Figure, 'metric'>,
): Promise<[source: Written, numbers: Written]> {
  const [stem, source, numbers] = await write([
    ['stem', metric, facet.peek()],
    ['latex', metric, facet.peek()],
    ['figure_csv', metric, facet.peek()],
  ]);
  return [
    { name: `${stem}.tex`, contents: source, type: 'application/x-tex' },
    { name: `${stem}.csv`, contents: numbers, type: 'text/csv' },
  ];
}

/** The values of all metrics of every run. */
export async function csvOf({ write }: Exporting): Promise<Written> {
  const [contents] = await write([['csv']]);
  return { name: 'runs.csv', contents, type: 'text/csv' };
}

/** The whole result. */
export async function jsonOf({ write, trace }: Exporting): Promise<Written> {
  const of = trace();
  const [contents] = await write([['json', of?.name, of?.sha256 ?? '', of?.jobs ?? 0]]);
  return { name: 'result.json', contents, type: 'application/json' };
}

/** The scenario. */
export async function tomlOf({ write }: Exporting): Promise<Written> {
  const [contents] = await write([['toml']]);
  return { name: 'scenario.toml', contents, type: 'application/toml' };
}

/** The references of the method. */
export async function sourcesOf({ write }: Exporting): Promise<Written> {
  const [contents] = await write([['bibliography']]);
  return { name: 'sources.bib', contents, type: 'application/x-bibtex' };
}

/** The jobs of one run. */
export async function jobsOf(
  { log }: Exporting,
  { x, policy, replication }: Exported,
  scenario: Reading,
): Promise<Written> {
  const cell = cellAt(sizesOf(scenario), {
    y: facet.peek(),
    x: Number(x),
    policy: Number(policy),
    replication: Number(replication),
  });
  return { name: 'jobs.swf', contents: await log(cell), type: 'text/plain' };
}
