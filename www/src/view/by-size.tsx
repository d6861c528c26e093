/**
 * The nodes of a cluster without a network: how many are in use, by the size of the jobs that hold
 * them, as a bar. It stands in place of many equal cells, which are shown on request.
 */
import { signal } from '@preact/signals';
import { latest } from '../dom.ts';
import { mounted } from '../mount.ts';
import { averaged, clock, frame, kept, picture } from '../state.ts';
import { bySizeTexts as said } from '../texts/by-size.ts';
import { Check } from './check.tsx';
import { treeOfRun } from './tree.tsx';
import type { Signal } from '@preact/signals';
import type { Look } from './inspector.ts';

/** With more nodes than this their cells are shown only on request. */
const FEW = 64;
/** The share of the colour for the smallest and for the largest jobs, in per cent. */
const [PALEST, STRONGEST] = [22, 100];

/** The colour that says the size of a job, where none has more than `all`: the larger, the stronger. */
export function strengthOf(size: number, all: number) {
  const last = Math.max(1, Math.floor(Math.log2(all)));
  const strength = PALEST + ((STRONGEST - PALEST) * Math.floor(Math.log2(size))) / last;
  return { '--strength': `${Math.min(strength, STRONGEST)}%` };
}

/** The nodes in use, by the binary logarithm of the size of jobs, and how many there are. */
interface Held {
  bySize: number[];
  all: number;
}

export function bySizeView(look: Look) {
  const held = signal<Held | null>(null);
  const isByNode = signal(false);
  const tree = treeOfRun();
  const arrange = () => {
    const isInPlace = held.value !== null && held.value.all > FEW && !isByNode.value;
    tree.classList.toggle('barred', isInPlace);
  };
  const show = latest(async () => {
    const now = frame.peek();
    const run = kept.peek();
    const isWanted = run?.deep && run.beside === null && !averaged.peek();
    const answers = isWanted && now !== null ? await look(['held_by_size', clock.peek()]) : null;
    const bySize = [...(answers?.[0] ?? [])];
    held.value = bySize.length === 0 || now === null ? null : { bySize, all: now.shares.length };
  });
  for (const each of [frame, kept]) each.subscribe(() => void show());
  for (const each of [held, isByNode]) each.subscribe(arrange);
  tree.before(mounted(<BySize held={held} isByNode={isByNode} />));
}

interface BySizeParts {
  held: Signal<Held | null>;
  /** Whether the cells of all nodes are shown, too. */
  isByNode: Signal<boolean>;
}

function BySize({ held, isByNode }: BySizeParts) {
  const { bySize, all } = held.value ?? { bySize: [], all: 0 };
  const sum = bySize.reduce((sum, count) => sum + count, 0);
  const classes = bySize
    .map((count, size) => ({
      count,
      words: said.sizes(2 ** size, Math.min(2 ** (size + 1) - 1, all), count),
      style: strengthOf(2 ** size, all),
    }))
    .filter(({ count }) => count > 0);
  return (
    <section class="by-size" aria-label={said.label} hidden={held.value === null}>
      <p>{said.held(sum, all, picture.value?.words[0] ?? '')}</p>
      <div class="bar" aria-hidden="true">
        {classes.map(({ count, words, style }) => (
          <span key={words} data-hint={words} style={{ ...style, flexGrow: count }} />
        ))}
        <span class="idle" style={{ flexGrow: all - sum }} />
      </div>
      <ul>
        {classes.map(({ words, style }) => (
          <li key={words}>
            <span class="sample by-strength" style={style} />
            {words}
          </li>
        ))}
        <li>
          <span class="sample idle" />
          {said.idle(all - sum)}
        </li>
      </ul>
      {all > FEW && (
        <Check
          words={said.byNode}
          isOn={isByNode.value}
          turn={(isOn) => {
            isByNode.value = isOn;
          }}
        />
      )}
    </section>
  );
}
