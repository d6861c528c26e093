/** Numbers of a log's jobs as bars, with the same as a table. */
import { instant, percent, whole } from '../format.ts';
import { doctorTexts as said } from '../texts/doctor.ts';
import { CopyAs } from './copy-as-button.tsx';
import { csvOf } from './export-file.ts';
import type { Diagnosis } from '../../pkg/backfill_web.js';

interface HeadingParts {
  words: string;
  /** The headings of the numbers, and each row of them. */
  rows: [string, number | string][];
}

function Heading({ words, rows }: HeadingParts) {
  const csv = () =>
    csvOf(
      'report.csv',
      rows.map(([first, second]) => [`"${first}"`, second]),
    );
  return (
    <div class="head">
      <h3>{words}</h3>
      <CopyAs name={words} chart={() => ({ of: 'numbers', csv })} />
    </div>
  );
}

export function LoadOverTime({ load }: { load: Diagnosis['load'] }) {
  const most = load.reduce((top, each) => (each.load > top.load ? each : top));
  const mean = load.reduce((sum, each) => sum + each.load, 0) / load.length;
  const scale = Math.max(1, most.load);
  return (
    <>
      <Heading
        words={said.load}
        rows={[
          [said.when, said.loads],
          ...load.map(({ middle_s, load }): [string, number] => [instant(middle_s), load]),
        ]}
      />
      <p>{said.loadSummary(mean.toFixed(2), most.load.toFixed(2), instant(most.middle_s))}</p>
      <div class="columns" aria-hidden="true">
        {load.map(({ load: value }, place) => (
          <div key={place} class="column" style={{ height: `${(100 * value) / scale}%` }} />
        ))}
        <div class="one" style={{ bottom: `${100 / scale}%` }} />
      </div>
      <details>
        <summary>{said.asTable}</summary>
        <table aria-label={said.region}>
          <thead>
            <tr>
              <th scope="col">{said.when}</th>
              <th scope="col">{said.loads}</th>
            </tr>
          </thead>
          <tbody>
            {load.map(({ middle_s, load: value }) => (
              <tr key={middle_s}>
                <th scope="row">{instant(middle_s)}</th>
                <td>{value.toFixed(3)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

interface BinsParts {
  bins: { label: string; jobs: number }[];
  name: string;
  /** What the bins are of. */
  subject: string;
  all: number;
}

export function Bins({ bins, name, subject, all }: BinsParts) {
  const most = Math.max(1, ...bins.map(({ jobs }) => jobs));
  const rows = bins.map(({ label, jobs }): [string, number] => [label, jobs]);
  return (
    <>
      <Heading words={name} rows={[[subject, said.jobs], ...rows]} />
      <table class="bars" aria-label={name}>
        <thead>
          <tr>
            {[subject, said.jobs, said.share].map((words) => (
              <th key={words} scope="col">
                {words}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {bins.map(({ label, jobs }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{whole(jobs)}</td>
              <td>{percent(all > 0 ? jobs / all : 0)}</td>
              <td aria-hidden="true">
                {jobs > 0 && <span class="bar" style={{ width: `${(100 * jobs) / most}%` }} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
