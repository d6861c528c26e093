/**
 * What an answer over a log is about, and the questions about the log as cards: each runs its
 * scenario with one click.
 */
import { byId, latest, make } from '../dom.ts';
import { entries, reading, summary, trace } from '../state.ts';
import { traceTexts } from '../texts/trace.ts';
import type { Question } from '../../pkg/backfill_web.js';
import type { Entries } from '../state.ts';

interface LogViewParts {
  /** Answers a question. */
  ask: (question: Question) => void;
  /** Which question a scenario answers. */
  answered: (scenario: Entries) => number | null;
  /** What the answer shown is about; null where it is over no log that is here. */
  about: () => Promise<string> | null;
}

export function logView({ ask, answered, about }: LogViewParts) {
  const box = byId('log');
  const subject = make('p', { class: 'subject' });
  const cards = make('div', { class: 'cards', role: 'group', 'aria-label': traceTexts.questions });
  box.replaceChildren(cards, subject);

  const showCards = () => {
    const held = trace.peek();
    const mine = reading.peek()?.trace ?? null;
    const questions =
      held !== null && mine !== null && mine.sha256 === held.report.sha256
        ? held.report.questions
        : [];
    const now = questions.length === 0 ? null : answered(entries.peek());
    cards.hidden = questions.length === 0;
    cards.replaceChildren(
      ...questions.map((question, position) =>
        make(
          'button',
          {
            type: 'button',
            class: 'card',
            ariaPressed: String(position === now),
            onclick: () => ask(question),
          },
          make('strong', {}, question.title),
          make('span', { class: 'soft' }, question.does),
        ),
      ),
    );
    box.hidden = cards.hidden && subject.textContent === '';
  };
  const showSubject = latest(async () => {
    subject.textContent = (await about()?.catch(() => '')) ?? '';
    box.hidden = cards.hidden && subject.textContent === '';
  });
  reading.subscribe(showCards);
  trace.subscribe(showCards);
  summary.subscribe(() => void showSubject());
}
