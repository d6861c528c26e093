/** The cells of a run's picture as a table, page by page. */
import { signal } from '@preact/signals';
import { percent } from '../format.ts';
import { mounted } from '../mount.ts';
import { besideTexts as said } from '../texts/beside.ts';
import type { CellRows } from '../../pkg/backfill_web.js';

/** The number of cells on a page of the table. */
const LISTED = 100;

/** A page of the table. */
interface Page {
  from: number;
  list: CellRows;
  /** Whether it is of two runs. */
  isOfBoth: boolean;
}

export class CellsTable {
  readonly element: HTMLElement;
  readonly #page = signal<Page | null>(null);
  readonly #isOpen = signal(false);
  /** The name that is searched for, and the first row of the page. */
  #name = '';
  #from = 0;
  /** Called when other rows are wanted. */
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
    this.element = mounted(<this.Drawn />);
  }

  /** Which rows are wanted: none while the table is folded. */
  wanted() {
    return { name: this.#name, from: this.#from, count: this.#isOpen.peek() ? LISTED : 0 };
  }

  fill(list: CellRows, isOfBoth: boolean) {
    this.#page.value = { from: this.#from, list, isOfBoth };
  }

  clear() {
    this.#page.value = null;
  }

  readonly Drawn = () => (
    <details
      class="numbers"
      onToggle={({ currentTarget }) => {
        this.#isOpen.value = currentTarget.open;
        this.#changed();
      }}
    >
      <summary>{said.asTable}</summary>
      <div class="pick">
        <label>
          <span>{said.called}</span>
          <input
            type="text"
            spellcheck={false}
            autocomplete="off"
            onInput={({ currentTarget }) => {
              this.#name = currentTarget.value;
              this.#from = 0;
              this.#changed();
            }}
          />
        </label>
        <Turn
          page={this.#page.value}
          turn={(by) => {
            this.#from += by;
            this.#changed();
          }}
        />
      </div>
      <div class="table-scroll" role="region" tabIndex={0} aria-label={said.region}>
        <Rows page={this.#page.value} />
      </div>
    </details>
  );
}

/** Turns the page. */
function Turn({ page, turn }: { page: Page | null; turn: (by: number) => void }) {
  const { from = 0, list: { found } = { found: 0 } } = page ?? {};
  return (
    <div class="group-of" hidden={page !== null && found <= LISTED}>
      <button type="button" disabled={page !== null && from === 0} onClick={() => turn(-LISTED)}>
        {said.back}
      </button>
      <button
        type="button"
        disabled={page !== null && from + LISTED >= found}
        onClick={() => turn(LISTED)}
      >
        {said.ahead}
      </button>
    </div>
  );
}

function Rows({ page }: { page: Page | null }) {
  const { rows = [], found = 0 } = page?.list ?? {};
  const from = page?.from ?? 0;
  const isOfBoth = page?.isOfBoth ?? false;
  const columns = isOfBoth ? said.columns : said.columns.slice(0, 2);
  return (
    <table>
      <caption aria-live="polite">
        {page !== null && said.caption(from + 1, from + rows.length, found, isOfBoth)}
      </caption>
      <thead>
        <tr>
          {page !== null &&
            columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, share, beside }, place) => (
          <tr key={place}>
            <th scope="row">{name}</th>
            <td>{percent(share)}</td>
            {beside !== null && <td>{percent(beside)}</td>}
            {beside !== null && <td>{said.points(pointsBetween(share, beside))}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The difference of two shares, in points. */
export function pointsBetween(one: number, other: number) {
  return (one - other) * 100;
}
