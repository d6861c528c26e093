import { byId } from '../dom.ts';
import { mountInstead } from '../mount.ts';
import { summary } from '../state.ts';
import { WithTerms } from './term.tsx';

/** The answer in a sentence, in place of that of the answer that the page was built with. */
export function answerSentence() {
  const show = () => {
    if (summary.get() === null) return;
    summary.ignore(show);
    mountInstead(<Sentence />, byId('sentence'));
  };
  summary.watch(show);
}

function Sentence() {
  const all = summary.value;
  return all === null ? null : <WithTerms sentence={all.sentence} all={all} />;
}
