/**
 * What an answer over a log is about, and the questions about the log as cards: each runs its
 * scenario with one click.
 */
import { computed, effect, signal } from '@preact/signals';
import { byId, latest } from '../dom.ts';
import { mountInstead } from '../mount.ts';
import { entries, reading, summary, trace } from '../state.ts';
import { logReportTexts } from '../texts/log-report.ts';
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
  const subject = signal('');
  const questions = computed(() => {
    const held = trace.value;
    const sha256 = reading.value?.trace?.sha256;
    return held !== null && sha256 === held.report.sha256 ? held.report.questions : [];
  });
  const Drawn = () => {
    const all = questions.value;
    const now = all.length === 0 ? null : answered(entries.value);
    return (
      <>
        <div
          class="cards"
          role="group"
          aria-label={logReportTexts.questions}
          hidden={all.length === 0}
        >
          {all.map((question, position) => (
            <button
              key={position}
              type="button"
              class="card"
              aria-pressed={position === now}
              onClick={() => ask(question)}
            >
              <strong>{question.title}</strong>
              <span class="soft">{question.does}</span>
            </button>
          ))}
        </div>
        <p class="subject">{subject}</p>
      </>
    );
  };
  mountInstead(<Drawn />, box);
  effect(() => {
    box.hidden = questions.value.length === 0 && subject.value === '';
  });
  const showSubject = latest(async () => {
    subject.value = (await about()?.catch(() => '')) ?? '';
  });
  summary.subscribe(() => void showSubject());
}
