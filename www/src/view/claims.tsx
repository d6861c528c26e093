/**
 * The claims of the published figures that an answer is, judged by its runs, of whatever seed and
 * number of replications.
 */
import { signal } from '@preact/signals';
import { byId } from '../dom.ts';
import { mounted } from '../mount.ts';
import { digest } from '../state.ts';
import { claimsTexts } from '../texts/claims.ts';
import type { Rerun, RerunClaim } from '../../pkg-claims/backfill_claims.js';
import type { PageParts } from '../compose.ts';

const { aside, known }: { aside: string[]; known: string[] } = JSON.parse(BUILT.figures);

export function claimsView({ answer, exportWorker }: PageParts) {
  const judged = signal<Rerun[] | null>([]);
  byId('digest')
    .closest('p')
    ?.after(mounted(<Claims judged={judged} />));
  digest.subscribe(async (now) => {
    judged.value = [];
    const scenario = answer.text ?? '';
    if (now === '' || !isFigure(scenario)) return;
    const { maker, outcomes } = answer;
    const found = await exportWorker
      .started()
      .ask('claims', { scenario, maker, outcomes })
      .catch(() => null);
    if (digest.peek() === now) judged.value = found;
  });
}

function Claims({ judged }: { judged: { value: Rerun[] | null } }) {
  const all = judged.value;
  return (
    <section class="figures" aria-labelledby="figures-title" hidden={all?.length === 0}>
      <h3 id="figures-title">{claimsTexts.title}</h3>
      {all === null ? (
        <p>{claimsTexts.notFetched}</p>
      ) : (
        all.map((each) => <Figure key={each.id} {...each} />)
      )}
    </section>
  );
}

function Figure({ id, source, title, interpretation, claims }: Rerun) {
  return (
    <>
      <p>
        <a href={`papers.html#${id}`}>{source}</a>: {title}
        {interpretation === '' ? '' : claimsTexts.under(interpretation)}
      </p>
      <ul>
        {claims.map((claim) => (
          <Claim key={claim.id} {...claim} />
        ))}
      </ul>
    </>
  );
}

function Claim({ id, text, outcome, sentence }: RerunClaim) {
  return (
    <li>
      <p>
        <strong class={`badge ${claimsTexts.tones[outcome] ?? ''}`}>
          {outcome || claimsTexts.takesMore(sentence)}
        </strong>{' '}
        {text}
      </p>
      <p class="soft">
        {outcome === '' || sentence === '' ? '' : `${sentence}. `}
        <a href={`papers.html#${id}`}>{claimsTexts.onFile}</a>
      </p>
    </li>
  );
}

/** Whether the scenario with this canonical text is a published figure. */
function isFigure(text: string) {
  const lines = text.split('\n').filter((line) => !aside.includes(line.split('=', 1)[0]));
  return known.includes(lines.join('\n'));
}
