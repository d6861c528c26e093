/** Why a job that starts is where it is: subtrees in the order in which they were considered. */
import { stepTexts } from '../texts/step.ts';
import type { ToldPlacement } from '../../pkg/backfill_web.js';

export function PlacementList({ placement }: { placement: ToldPlacement }) {
  const { rule, subtrees, more } = placement;
  return (
    <div class="placement" role="group" aria-label={stepTexts.placement}>
      <p>{rule}</p>
      {subtrees.length > 0 && (
        <ul>
          {subtrees.map(({ name, taken, sentence }) => (
            <li key={name} class={taken > 0 ? 'taken' : ''}>
              <b>{name}</b> {sentence}
            </li>
          ))}
        </ul>
      )}
      {more !== '' && <p class="soft">{more}</p>}
    </div>
  );
}
