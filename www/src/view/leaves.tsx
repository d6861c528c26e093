/** The leaves of the machine as rows of counts: a rack is gone, or has more nodes. */
import { signal, useSignal } from '@preact/signals';
import { messageOf } from '../message.ts';
import { byId } from '../dom.ts';
import { mounted } from '../mount.ts';
import { entries, validReading } from '../state.ts';
import { leavesTexts as said } from '../texts/leaves.ts';
import { Dialog, openDialog } from './dialog.tsx';
import type { Leaf } from '../../pkg/backfill_web.js';
import type { Core } from '../core.ts';
import type { Run } from './inspector.ts';

/** The key of the machine. */
const KEY = 'tree';

/** A button below the picture of a machine with leaves. */
export function leavesView(core: Core) {
  const run = signal<Run | null>(null);
  const open = () => {
    const tree = validReading.peek().values[KEY];
    const now = run.peek();
    if (now === null || tree === undefined) return;
    const { machine } = now.kept.info;
    const dialog = openDialog(
      <Leaves
        leaves={core.leaves(tree, machine).leaves}
        take={(counts) => {
          const changed = core.leaves(tree, machine, counts).tree;
          dialog.close();
          entries.value = { ...entries.peek(), [KEY]: changed };
          byId('run').click();
        }}
      />,
    );
  };
  const Drawn = () => (
    <p hidden={run.value === null || !validReading.value.relevant.includes(KEY)}>
      <button type="button" onClick={open}>
        {said.open}
      </button>
    </p>
  );
  return {
    element: mounted(<Drawn />),
    show(next: Run) {
      run.value = next;
    },
  };
}

interface LeavesParts {
  leaves: Leaf[];
  /** Runs on a machine with so many nodes in each; throws why there is none. */
  take: (counts: number[]) => void;
}

function Leaves({ leaves, take }: LeavesParts) {
  const counts = useSignal(leaves.map(({ nodes }) => nodes));
  const wrong = useSignal('');
  const hasAbove = leaves.some(({ above }) => above !== '');
  const set = (place: number, nodes: number) => {
    const entered = Math.max(0, Math.trunc(nodes) || 0);
    counts.value = counts.value.map((before, other) => (other === place ? entered : before));
  };
  const run = () => {
    try {
      take(counts.value);
    } catch (error) {
      wrong.value = messageOf(error);
    }
  };
  return (
    <Dialog
      name="leaves"
      class="leaves"
      title={said.title}
      buttons={
        <button type="button" class="primary" onClick={run}>
          {said.run}
        </button>
      }
    >
      <p class="soft">{said.about}</p>
      <div class="table-scroll" role="region" tabIndex={0} aria-labelledby="leaves-title">
        <table>
          <thead>
            <tr>
              <th scope="col">{said.leaf}</th>
              {hasAbove && <th scope="col">{said.above}</th>}
              <th scope="col">{said.column}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {leaves.map((leaf, place) => (
              <Row
                key={place}
                leaf={leaf}
                hasAbove={hasAbove}
                nodes={counts.value[place] ?? 0}
                set={(nodes) => set(place, nodes)}
              />
            ))}
          </tbody>
        </table>
      </div>
      <p role="status">{said.total(counts.value.reduce((sum, nodes) => sum + nodes, 0))}</p>
      <p class="wrong">{wrong}</p>
    </Dialog>
  );
}

interface RowParts {
  leaf: Leaf;
  /** Whether it says which switch is above it. */
  hasAbove: boolean;
  nodes: number;
  set: (nodes: number) => void;
}

function Row({ leaf: { name, above }, hasAbove, nodes, set }: RowParts) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {hasAbove && <td>{above}</td>}
      <td>
        <input
          type="number"
          min="0"
          aria-label={said.nodes(name)}
          value={nodes}
          onInput={({ currentTarget }) => set(currentTarget.valueAsNumber)}
        />
      </td>
      <td>
        <button
          type="button"
          aria-label={said.emptyOne(name)}
          disabled={nodes === 0}
          onClick={() => set(0)}
        >
          {said.empty}
        </button>
      </td>
    </tr>
  );
}
