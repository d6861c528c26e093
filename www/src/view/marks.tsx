/** The mark of a job on the picture of its run: of the one pointed at, else of the chosen one. */
import { signal } from '@preact/signals';
import { latest, put } from '../dom.ts';
import { instant } from '../format.ts';
import { mounted } from '../mount.ts';
import { chosenJob, clock, dark, picture, pointedJob } from '../state.ts';
import { jobTexts } from '../texts/job.ts';
import { Key } from './key.tsx';
import type { JobAt } from '../../pkg/backfill_web.js';
import type { Look } from './inspector.ts';

/** @returns marks the job again */
export function markJobs(look: Look): () => Promise<void> {
  const marks = mounted(<canvas class="marks" aria-hidden="true" />, HTMLCanvasElement);
  const marked = signal<string | null>(null);
  const InLegend = () => <Key kind="outlined" words={marked.value} />;
  document.querySelector('#shares-scale')?.append(mounted(<InLegend />));

  const mark = latest(async () => {
    const job = pointedJob.peek() ?? chosenJob.peek();
    const size = picture.peek();
    const answers =
      job === null || size === null
        ? null
        : await look(
            ['marks', job, clock.peek(), size.width, dark.peek()],
            ['job_details', job, clock.peek()],
          );
    marks.hidden = answers === null;
    marked.value = answers === null ? null : wordsOf(answers[1]);
    const map = document.querySelector('#replay .map');
    if (answers === null || size === null || map === null) return;
    if (marks.parentElement !== map) map.append(marks);
    marks.width = size.width;
    marks.height = size.height;
    marks.style.width = `min(100%, ${size.width / devicePixelRatio}px)`;
    put(marks, answers[0]);
  });
  for (const each of [pointedJob, chosenJob, clock, picture, dark])
    each.subscribe(() => void mark());
  return mark;
}

/** What is marked; null for a job without an allocation. */
function wordsOf({ row, allocation }: JobAt) {
  if (allocation === null) return null;
  const number = String(row[0]);
  const { start, end } = allocation;
  return clock.peek() >= start && clock.peek() < end
    ? jobTexts.marked(number)
    : jobTexts.markedThen(number, instant(start), instant(end));
}
