/** The files of a result that the user can save. The core writes them, as the command line does. */
import { cellAt, facet, sizesOf } from './state.ts';
import { SCREEN, save, savePicture } from './view/export-file.ts';
import type { Reading } from './state.ts';
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

/** What is saved: a metric, its width in inches if it is for paper, and a run by positions. */
export interface Exported {
  metric: string;
  inches: string;
  policy: string;
  x: string;
  replication: string;
}

/** Pixels of a figure to the inch on paper, and dots to the inch of its picture. */
const TO_THE_INCH = 108;
const DOTS = 300;
const ASPECT = 0.62;

export async function saveSvg({ write }: Exporting, { metric, inches }: Exported) {
  const [stem, text] = await write([
    ['stem', metric, facet.peek()],
    ['svg', metric, facet.peek(), inches === '' ? undefined : Number(inches)],
  ]);
  save(`${stem}.svg`, text, 'image/svg+xml');
}

export async function savePng({ write, paint }: Exporting, { metric, inches }: Exported) {
  const [stem] = await write([['stem', metric, facet.peek()]]);
  const size =
    inches === ''
      ? SCREEN
      : {
          width: Math.floor(Number(inches) * TO_THE_INCH),
          height: Math.floor(Number(inches) * TO_THE_INCH * ASPECT),
          ratio: DOTS / TO_THE_INCH,
        };
  await savePicture(`${stem}.png`, (canvas) =>
    paint(canvas, metric, size.width, size.height, size.ratio),
  );
}

export async function saveLatex({ write }: Exporting, { metric }: Exported) {
  const [stem, source, numbers] = await write([
    ['stem', metric, facet.peek()],
    ['latex', metric, facet.peek()],
    ['figure_csv', metric, facet.peek()],
  ]);
  save(`${stem}.tex`, source, 'application/x-tex');
  save(`${stem}.csv`, numbers, 'text/csv');
}

export async function saveCsv({ write }: Exporting) {
  save('runs.csv', (await write([['csv']]))[0], 'text/csv');
}

export async function saveJson({ write, trace }: Exporting) {
  const of = trace();
  const [text] = await write([['json', of?.name, of?.sha256 ?? '', of?.jobs ?? 0]]);
  save('result.json', text, 'application/json');
}

export async function saveToml({ write }: Exporting) {
  save('scenario.toml', (await write([['toml']]))[0], 'application/toml');
}

export async function saveSources({ write }: Exporting) {
  save('sources.bib', (await write([['bibliography']]))[0], 'application/x-bibtex');
}

/** Saves the jobs of one run. */
export async function saveJobs(
  { log }: Exporting,
  { x, policy, replication }: Exported,
  scenario: Reading,
) {
  const cell = cellAt(sizesOf(scenario), {
    y: facet.peek(),
    x: Number(x),
    policy: Number(policy),
    replication: Number(replication),
  });
  save('jobs.swf', await log(cell), 'text/plain');
}
