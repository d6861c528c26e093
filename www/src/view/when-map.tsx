/** The wait of jobs of other sizes and time limits, as a heatmap; a cell asks about its job. */
import { useSignal } from '@preact/signals';
import { whenTexts as said } from '../texts/when.ts';
import { CopyAs } from './copy-as-button.tsx';
import { csvOf } from './export-file.ts';
import { Region } from './table.tsx';
import type { ForecastMap, Told } from '../../pkg/backfill_web.js';
import type { WhenState } from './when-state.ts';

/** The waits in seconds from which a cell is darker. */
const STEPS = [60, 3600, 4 * 3600, 12 * 3600, 24 * 3600, 72 * 3600];

interface MapParts {
  state: WhenState;
  told: Told;
}

export function WhenMap({ state, told }: MapParts) {
  const { map } = told.forecast;
  if (map === null)
    return (
      <p>
        <button
          type="button"
          disabled={state.progress.value !== null}
          onClick={() => void state.map()}
        >
          {said.mapAsk}
        </button>
      </p>
    );
  return (
    <section>
      <div class="head">
        <h3>{said.map}</h3>
        <CopyAs name={said.map} chart={() => ({ of: 'forecast', csv: () => waits(map) })} />
      </div>
      {told.gains.map((gain) => (
        <p key={gain}>{gain}</p>
      ))}
      <p class="soft">{said.mapAbout}</p>
      <Heatmap state={state} told={told} map={map} />
    </section>
  );
}

/** The waits by size and time limit; empty where too few futures start such a job. */
function waits({ sizes, limits_s, p50_wait_s, p90_wait_s }: ForecastMap) {
  const rows = sizes.flatMap((size, y) =>
    limits_s.map((limit, x) => [size, limit, p50_wait_s[y][x], p90_wait_s[y][x]]),
  );
  return csvOf('forecast-map.csv', [['size', 'limit_s', 'p50_wait_s', 'p90_wait_s'], ...rows]);
}

function Heatmap({ state, told, map }: MapParts & { map: ForecastMap }) {
  const shown = useSignal<'p50' | 'p90'>('p50');
  const waits = shown.value === 'p50' ? map.p50_wait_s : map.p90_wait_s;
  const { size, limit_s, unit } = told.forecast;
  const row = map.sizes.findIndex((of) => of >= size);
  const column = map.limits_s.findIndex((of) => of >= limit_s);
  const ask = (slots: number, seconds: number) => {
    state.size.value = String(slots);
    state.limit.value = String(seconds / 3600);
    void state.ask();
  };
  return (
    <>
      <div class="pick">
        <label>
          <span>{said.quantile}</span>
          <select
            value={shown.value}
            onChange={({ currentTarget }) => {
              shown.value = currentTarget.value === 'p90' ? 'p90' : 'p50';
            }}
          >
            {Object.entries(said.quantiles).map(([name, words]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Region label={said.map}>
        <table class="heat">
          <thead>
            <tr>
              <th scope="col">{said.corner(unit)}</th>
              {map.limits_s.map((limit) => (
                <th key={limit} scope="col">
                  {said.limitOf(limit)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {map.sizes.map((slots, y) => (
              <tr key={slots}>
                <th scope="row">{slots}</th>
                {map.limits_s.map((limit, x) => (
                  <Cell
                    key={limit}
                    wait={waits[y][x]}
                    words={said.cell(slots, unit, limit, waits[y][x])}
                    isAsked={y === row && x === column}
                    ask={() => ask(slots, limit)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Region>
    </>
  );
}

interface CellParts {
  /** In seconds; null for the longest. */
  wait: number | null;
  words: string;
  isAsked: boolean;
  ask: () => void;
}

function Cell({ wait, words, isAsked, ask }: CellParts) {
  const step = STEPS.filter((from) => from <= (wait ?? Infinity)).length;
  return (
    <td>
      <button
        type="button"
        class={`heat-${step}`}
        aria-current={isAsked ? 'true' : undefined}
        data-hint={words}
        onClick={ask}
      >
        {said.short(wait)}
      </button>
    </td>
  );
}
