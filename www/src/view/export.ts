/**
 * The dialog that exports the result as files: figures, numbers, the scenario, the method, the jobs
 * of one run. The core writes all of them, the same as the command line does.
 */
import { make } from '../dom.ts';
import { cellAt, facet, reading, sizesOf, summary } from '../state.ts';
import { exportTexts } from '../texts/export.ts';
import { linkTexts } from '../texts/link.ts';
import { replayTexts } from '../texts/replay.ts';
import { SCREEN, copyButton, save, savePicture } from './export-file.ts';
import type { BoardCall } from '../worker/messages.ts';

/** What the dialog needs from the page. */
interface Exporting {
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

/** Pixels of a figure to the inch on paper, and dots to the inch of its picture. */
const TO_THE_INCH = 108;
const DOTS = 300;
const ASPECT = 0.62;
/** Widths in inches of a column and a page. */
const PAPER = ['3.5', '7'];

/** @returns opens the dialog */
export function exportDialog(asks: Exporting): () => void {
  const words = exportTexts;
  const metric = make('select', {});
  const width = make(
    'select',
    {},
    new Option(words.screen, ''),
    ...PAPER.map((inches) => new Option(words.inches(inches), inches)),
  );
  const status = make('p', { class: 'soft', role: 'status' });
  const method = make('textarea', {
    readOnly: true,
    'aria-label': words.method,
    spellcheck: false,
  });
  const policy = make('select', {});
  const x = make('select', {});
  const place = make('label', {}, make('span'), x);
  const rep = make('select', {});

  const y = () => facet.get();
  const inches = () => (width.value === '' ? undefined : Number(width.value));

  /** Runs what makes files, and reports a failure. */
  const attempt = async (act: () => Promise<void>) => {
    status.textContent = words.writing;
    try {
      await act();
      status.textContent = words.saved;
    } catch (error) {
      status.textContent = words.failed(error instanceof Error ? error.message : String(error));
    }
  };
  const button = (label: string, act: () => Promise<void>, name: string) =>
    make('button', { type: 'button', 'data-file': name, onclick: () => void attempt(act) }, label);

  const svg = async () => {
    const [stem, text] = await asks.write([
      ['stem', metric.value, y()],
      ['svg', metric.value, y(), inches()],
    ]);
    save(`${stem}.svg`, text, 'image/svg+xml');
  };
  const png = async () => {
    const [stem] = await asks.write([['stem', metric.value, y()]]);
    const paper = inches();
    const size =
      paper === undefined
        ? SCREEN
        : {
            width: Math.floor(paper * TO_THE_INCH),
            height: Math.floor(paper * TO_THE_INCH * ASPECT),
            ratio: DOTS / TO_THE_INCH,
          };
    await savePicture(`${stem}.png`, (canvas) =>
      asks.paint(canvas, metric.value, size.width, size.height, size.ratio),
    );
  };
  const latex = async () => {
    const [stem, source, numbers] = await asks.write([
      ['stem', metric.value, y()],
      ['latex', metric.value, y()],
      ['figure_csv', metric.value, y()],
    ]);
    save(`${stem}.tex`, source, 'application/x-tex');
    save(`${stem}.csv`, numbers, 'text/csv');
  };
  const csv = async () => save('runs.csv', (await asks.write([['csv']]))[0], 'text/csv');
  const json = async () => {
    const trace = asks.trace();
    const [text] = await asks.write([['json', trace?.name, trace?.sha256 ?? '', trace?.jobs ?? 0]]);
    save('result.json', text, 'application/json');
  };
  const toml = async () =>
    save('scenario.toml', (await asks.write([['toml']]))[0], 'application/toml');
  const bib = async () =>
    save('sources.bib', (await asks.write([['bibliography']]))[0], 'application/x-bibtex');
  const swf = async () => {
    const now = reading.get();
    if (now === null) return;
    const cell = cellAt(sizesOf(now), {
      y: y(),
      x: Number(x.value),
      policy: Number(policy.value),
      replication: Number(rep.value),
    });
    save('jobs.swf', await asks.log(cell), 'text/plain');
  };

  const dialog = make(
    'dialog',
    { 'aria-labelledby': 'export-title', id: 'export-dialog' },
    make('h2', { id: 'export-title' }, words.title),
    make('h3', {}, words.figure),
    make(
      'div',
      { class: 'pick' },
      make('label', {}, make('span', {}, words.metric), metric),
      make('label', {}, make('span', {}, words.width), width),
    ),
    make(
      'div',
      { class: 'files' },
      button(words.svg, svg, 'svg'),
      button(words.png, png, 'png'),
      button(words.latex, latex, 'tex'),
    ),
    make('h3', {}, words.numbers),
    make(
      'div',
      { class: 'files' },
      button(words.csv, csv, 'csv'),
      button(words.json, json, 'json'),
      button(words.toml, toml, 'toml'),
    ),
    make('h3', {}, words.run),
    make(
      'div',
      { class: 'pick' },
      make('label', {}, make('span', {}, replayTexts.policy), policy),
      place,
      make('label', {}, make('span', {}, replayTexts.replication), rep),
    ),
    make('div', { class: 'files' }, button(words.swf, swf, 'swf')),
    make('h3', {}, words.method),
    method,
    make('div', { class: 'files' }, copyButton(method), button(words.bib, bib, 'bib')),
    status,
    make(
      'div',
      { class: 'buttons' },
      make('button', { type: 'button', onclick: () => dialog.close() }, linkTexts.close),
    ),
  );
  document.body.append(dialog);

  return () => {
    const now = summary.get();
    const read = reading.get();
    if (now === null || read === null) return;
    const kept = metric.value;
    metric.replaceChildren(...now.metrics.map(({ name, label }) => new Option(label, name)));
    if (kept) metric.value = kept;
    policy.replaceChildren(
      ...now.policies.map((label, position) => new Option(label, String(position))),
    );
    x.replaceChildren(
      ...now.x.values.map((value, position) => new Option(value, String(position))),
    );
    place.hidden = now.x.label === '';
    (place.firstChild as HTMLElement).textContent = now.x.label;
    rep.replaceChildren(
      ...Array.from(
        { length: read.replications },
        (_, position) => new Option(String(position + 1), String(position)),
      ),
    );
    status.textContent = '';
    method.value = '';
    dialog.showModal();
    void asks.write([['methods']]).then(
      ([text]) => {
        method.value = text;
      },
      (error) => {
        status.textContent = words.failed(error instanceof Error ? error.message : String(error));
      },
    );
  };
}
