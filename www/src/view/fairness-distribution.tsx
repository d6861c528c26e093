/** The distribution of waits, as a curve, in words and as tables. */
import { useLayoutEffect } from 'preact/hooks';
import { summary } from '../state.ts';
import { answerTexts } from '../texts/answer.ts';
import { distributionTexts as said } from '../texts/fairness-distribution.ts';
import { save } from './export-file.ts';
import { FairnessState } from './fairness-state.ts';
import { Cell, MetricTable, Region } from './table.tsx';
import { Term } from './term.tsx';
import type { Spreads } from '../../pkg/backfill_web.js';
import type { Write } from './export-file.ts';
import type { FairnessParts } from './fairness-state.ts';

/** @param details in which it is, and while which is open it is shown */
export function waitDistribution(parts: FairnessParts, details: HTMLDetailsElement) {
  const state = new FairnessState(parts, () => details.open);
  details.addEventListener('toggle', () => {
    state.show();
    state.redraw();
  });
  return <Distribution state={state} />;
}

function Distribution({ state }: { state: FairnessState }) {
  useLayoutEffect(() => state.follow(), []);
  return (
    <>
      <div class="pick">
        <PointChoice state={state} />
      </div>
      <p class="soft" role="status">
        {state.status}
      </p>
      <Found state={state} />
    </>
  );
}

function PointChoice({ state }: { state: FairnessState }) {
  const { label = '', values = [] } = summary.value?.x ?? {};
  return (
    <label hidden={label === ''}>
      <span>{label}</span>
      <select
        value={state.x.value}
        onChange={({ currentTarget }) => state.choose(Number(currentTarget.value))}
      >
        {values.map((value, position) => (
          <option key={position} value={position}>
            {value}
          </option>
        ))}
      </select>
    </label>
  );
}

function Found({ state }: { state: FairnessState }) {
  const found = state.inWords.value;
  const place = found?.metrics.findIndex(({ name }) => name === state.metric.value) ?? -1;
  const curve = found?.metrics[place];
  return (
    <div hidden={found === null}>
      <p class="sentence">{found?.sentence}</p>
      <div class="charts" ref={state.drawn} />
      <p class="soft">{found?.meanings[place]}</p>
      <ul class="said">
        {found?.sentences.map((words, position) => (
          <li key={position}>{words}</li>
        ))}
      </ul>
      <Region label={said.besideRegion}>
        {found !== null && <Beside found={found} x={state.x.value} />}
      </Region>
      <details class="numbers">
        <summary>{said.table}</summary>
        <Region label={said.tableRegion}>
          {found !== null && curve !== undefined && <MetricTable metric={curve} all={found} />}
        </Region>
      </details>
      <div class="files">
        <FileButton words={said.svg} file="svg" write={state.files.svg} />
        <FileButton words={said.png} file="png" write={state.files.png} />
        <FileButton words={said.csv} file="csv" write={state.files.csv} />
      </div>
    </div>
  );
}

interface FileParts {
  words: string;
  file: string;
  write: Write;
}

function FileButton({ words, file, write }: FileParts) {
  return (
    <button type="button" data-file={file} onClick={async () => save(await write())}>
      {words}
    </button>
  );
}

/**
 * The means of some metrics, a row for each policy.
 * @param x the position of the value of x
 */
function Beside({ found, x }: { found: Spreads; x: number }) {
  const means = summary.value;
  if (means === null) return null;
  const { policies, metrics } = means;
  const columns = found.beside.flatMap((name) => metrics.filter((metric) => metric.name === name));
  return (
    <table>
      <caption>{said.beside}</caption>
      <thead>
        <tr>
          <th scope="col">{said.policy}</th>
          {columns.map(({ name, label, unit }) => (
            <th key={name} scope="col">
              <Term words={answerTexts.tableOf(label, unit)} term={`metric:${name}`} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {policies.map((policy, position) => (
          <tr key={position}>
            <th scope="row">{policy}</th>
            {columns.map(({ name, curves }) => (
              <Cell key={name} value={curves[position][x] ?? null} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
