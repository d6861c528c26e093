import { byId } from '../dom.ts';
import { mountInstead } from '../mount.ts';
import { once } from '../once.ts';
import { summary } from '../state.ts';
import { WithTerms } from './term.tsx';

/** The answer in a sentence, in place of that of the answer that the page was built with. */
export function answerSentence() {
  once(
    summary,
    (now) => now !== null,
    () => mountInstead(<Sentence />, byId('sentence')),
  );
}

function Sentence() {
  const all = summary.value;
  return all === null ? null : <WithTerms sentence={all.sentence} all={all} />;
}
