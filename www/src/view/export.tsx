/**
 * The dialog that exports the result as files: figures, numbers, the scenario, the method, the jobs
 * of one run.
 */
import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { csvOf, jobsOf, jsonOf, latexOf, pngOf, sourcesOf, svgOf, tomlOf } from '../exports.ts';
import { messageOf } from '../message.ts';
import { reading, summary } from '../state.ts';
import { exportTexts } from '../texts/export.ts';
import { replayTexts } from '../texts/replay.ts';
import { Choice } from './choice.tsx';
import { CopyButton, Dialog, addDialog } from './dialog.tsx';
import { save } from './export-file.ts';
import type { Summary } from '../../pkg/backfill_web.js';
import type { Exported, Exporting } from '../exports.ts';
import type { Reading } from '../state.ts';
import type { Written } from './export-file.ts';

/** Widths in inches of a column and a page. */
const PAPER = ['3.5', '7'];
/** The first run of the first policy. */
const FIRST = { policy: '0', x: '0', replication: '0' };

/** What the dialog is about. */
interface Result {
  summary: Summary;
  reading: Reading;
  /** Says how it was made. */
  method: string;
}

/** @returns opens the dialog */
export function exportDialog(asks: Exporting): () => void {
  const result = signal<Result | null>(null);
  const exported = signal<Exported>({ metric: '', inches: '', ...FIRST });
  const status = signal('');
  /** Runs what makes files, and reports a failure. */
  const attempt = async (act: () => Promise<void>, begins: string, ends: string) => {
    status.value = begins;
    try {
      await act();
      status.value = ends;
    } catch (error) {
      status.value = exportTexts.failed(messageOf(error));
    }
  };
  const Drawn = () => (
    <Export
      asks={asks}
      result={result.value}
      exported={exported.value}
      choose={(change) => {
        exported.value = { ...exported.value, ...change };
      }}
      status={status.value}
      saveAll={(write) =>
        void attempt(
          async () => (await write()).forEach(save),
          exportTexts.writing,
          exportTexts.saved,
        )
      }
    />
  );
  const dialog = addDialog(<Drawn />);
  return () => {
    const [now, read] = [summary.peek(), reading.peek()];
    if (now === null || read === null) return;
    result.value = { summary: now, reading: read, method: '' };
    const metric = exported.value.metric || now.headline[0];
    exported.value = { ...exported.value, ...FIRST, metric };
    dialog.showModal();
    const describe = async () => {
      const [method] = await asks.write([['methods']]);
      result.value = { summary: now, reading: read, method };
    };
    void attempt(describe, '', '');
  };
}

interface ExportParts {
  asks: Exporting;
  result: Result | null;
  exported: Exported;
  choose: (change: Partial<Exported>) => void;
  /** What became of the last file. */
  status: string;
  /** Saves the files that are written, and says what became of them. */
  saveAll: (write: () => Promise<Written[]>) => void;
}

function Export(parts: ExportParts) {
  const { asks, result, exported, saveAll, status } = parts;
  const method = useRef<HTMLTextAreaElement>(null);
  const file = (
    name: string,
    words: string,
    write: () => Promise<Written> | Promise<Written[]>,
  ) => (
    <button
      type="button"
      data-file={name}
      onClick={() => saveAll(async () => [await write()].flat())}
    >
      {words}
    </button>
  );
  return (
    <Dialog name="export" id="export-dialog" title={exportTexts.title}>
      <h3>{exportTexts.figure}</h3>
      <FigureChoices {...parts} />
      <div class="files">
        {file('svg', exportTexts.svg, () => svgOf(asks, exported))}
        {file('png', exportTexts.png, () => pngOf(asks, exported))}
        {file('tex', exportTexts.latex, () => latexOf(asks, exported))}
      </div>
      <h3>{exportTexts.numbers}</h3>
      <div class="files">
        {file('csv', exportTexts.csv, () => csvOf(asks))}
        {file('json', exportTexts.json, () => jsonOf(asks))}
        {file('toml', exportTexts.toml, () => tomlOf(asks))}
      </div>
      <h3>{exportTexts.run}</h3>
      <RunChoices {...parts} />
      <div class="files">
        {file('swf', exportTexts.swf, async () =>
          result === null ? [] : [await jobsOf(asks, exported, result.reading)],
        )}
      </div>
      <h3>{exportTexts.method}</h3>
      <textarea
        ref={method}
        readOnly
        aria-label={exportTexts.method}
        spellcheck={false}
        value={result?.method ?? ''}
      />
      <div class="files">
        <CopyButton field={method} />
        {file('bib', exportTexts.bib, () => sourcesOf(asks))}
      </div>
      <p class="soft" role="status">
        {status}
      </p>
    </Dialog>
  );
}

function FigureChoices({ result, exported, choose }: ExportParts) {
  return (
    <div class="pick">
      <Choice
        label={exportTexts.metric}
        value={exported.metric}
        choices={(result?.summary.metrics ?? []).map(({ name, label }) => [name, label])}
        choose={(metric) => choose({ metric })}
      />
      <Choice
        label={exportTexts.width}
        value={exported.inches}
        choices={[
          ['', exportTexts.screen],
          ...PAPER.map((inches): [string, string] => [inches, exportTexts.inches(inches)]),
        ]}
        choose={(inches) => choose({ inches })}
      />
    </div>
  );
}

function RunChoices({ result, exported, choose }: ExportParts) {
  const replications = Array.from({ length: result?.reading.replications ?? 0 });
  return (
    <div class="pick">
      <Choice
        label={replayTexts.policy}
        value={exported.policy}
        choices={(result?.summary.policies ?? []).map((label, place) => [String(place), label])}
        choose={(policy) => choose({ policy })}
      />
      <Choice
        label={result?.summary.x.label ?? ''}
        hidden={!result?.summary.x.label}
        value={exported.x}
        choices={(result?.summary.x.values ?? []).map((value, place) => [String(place), value])}
        choose={(x) => choose({ x })}
      />
      <Choice
        label={replayTexts.replication}
        value={exported.replication}
        choices={replications.map((_, place) => [String(place), String(place + 1)])}
        choose={(replication) => choose({ replication })}
      />
    </div>
  );
}
