import { answerTexts } from '../texts/answer.ts';
import { surfaceTexts } from '../texts/surface.ts';
import { Cell } from './table.tsx';
import type { Summary, Surface } from '../../pkg/backfill_web.js';

/** A table for each policy, values of the second key from the greatest down. */
export function SurfaceTables({ drawn, all }: { drawn: Surface; all: Summary }) {
  const { panels, cells, unit } = drawn;
  return panels.map((rows, place) => (
    <table key={place}>
      <caption>{answerTexts.tableOf(all.policies[cells[place].policy], unit)}</caption>
      <thead>
        <tr>
          <th scope="col">{surfaceTexts.corner(all.x.label, all.y.label)}</th>
          {all.x.values.map((x) => (
            <th key={x} scope="col">
              {x}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows
          .map((row, y) => (
            <tr key={y}>
              <th scope="row">{all.y.values[y]}</th>
              {row.map((value, x) => (
                <Cell key={x} value={value} />
              ))}
            </tr>
          ))
          .reverse()}
      </tbody>
    </table>
  ));
}
