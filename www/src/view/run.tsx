import { computed, effect } from '@preact/signals';
import { byId } from '../dom.ts';
import { mounted } from '../mount.ts';
import {
  badge,
  digest,
  estimate,
  reading,
  summary,
  trace,
  traceOf,
  warning,
  work,
} from '../state.ts';
import { answerTexts } from '../texts/answer.ts';
import { formTexts } from '../texts/form.ts';
import { runTexts } from '../texts/run.ts';
import { answerSentence } from './sentence.tsx';
import type { Range } from '../forecast.ts';

/**
 * Run, Cancel, progress, and the words about the answer.
 * @param pause pauses or resumes
 */
export function runControls(run: () => void, cancel: () => void, pause: () => void) {
  const runButton = byId('run', HTMLButtonElement);
  const cancelButton = byId('cancel', HTMLButtonElement);
  const pauseButton = byId('pause', HTMLButtonElement);
  const progress = byId('progress', HTMLProgressElement);
  const status = byId('status');
  status.after(mounted(<Saturation />));
  runButton.onclick = run;
  cancelButton.onclick = cancel;
  pauseButton.onclick = pause;
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run();
    } else if (
      event.key === 'Escape' &&
      !cancelButton.disabled &&
      document.querySelector('dialog[open]') === null
    ) {
      cancel();
    }
  });

  const show = () => {
    const { phase, done, total, left, words } = work.peek();
    const now = reading.peek();
    const invalid = now !== null && now.problems.length > 0;
    const foreseen = estimate.peek();
    const takes = foreseen !== null && foreseen.text === now?.text ? foreseen.range : null;
    const missing = now !== null && now.trace !== null && traceOf(now) === null;
    const cells = now === null ? '' : runTexts.cells(now.runs, takes);
    runButton.disabled = phase !== 'idle' || now === null || invalid || missing;
    cancelButton.disabled = phase !== 'running' && phase !== 'paused';
    pauseButton.disabled = cancelButton.disabled;
    say(pauseButton, phase === 'paused' ? runTexts.resume : runTexts.pause);
    const share = total > 0 ? done / total : 0;
    if (progress.value !== share) progress.value = share;
    progress.classList.toggle('unseen', phase === 'idle');
    if (phase === 'running') say(status, runTexts.progress(Math.floor(done), total, left));
    else if (phase === 'paused') say(status, runTexts.paused(Math.floor(done), total));
    else if (phase === 'cancelling') say(status, runTexts.cancelling);
    else if (invalid) say(status, formTexts.invalid);
    else if (missing) say(status, runTexts.needsTrace);
    else if (takes === null && words !== '') say(status, words);
    else say(status, cells + (takes !== null && isUnsure(takes) ? runTexts.unsure : ''));
  };
  work.subscribe(show);
  reading.subscribe(show);
  trace.subscribe(show);
  estimate.subscribe(show);

  const warn = () => {
    const now = warning.peek();
    const words = now !== null && now.text === reading.peek()?.text ? now.words : '';
    byId('warning').textContent = words;
    byId('warning').hidden = words === '';
  };
  warning.subscribe(warn);
  reading.subscribe(warn);
}

/** Says something in the same node as before: a new one makes the browser match styles again. */
function say(element: HTMLElement, words: string) {
  const { firstChild } = element;
  if (firstChild === null) element.textContent = words;
  else if (firstChild.nodeValue !== words) firstChild.nodeValue = words;
}

/** The point whose queue only grows, which can be stopped alone. */
function Saturation() {
  const { phase, saturated = null } = work.value;
  return (
    <div class="saturated" hidden={phase !== 'running' || saturated === null}>
      <p role="status">{saturated?.words}</p>
      <button type="button" onClick={saturated?.stop}>
        {runTexts.stopPoint}
      </button>
    </div>
  );
}

/** Whether the forecast is so uncertain that the reason is shown. */
function isUnsure({ low, high, grows = false }: Range) {
  return grows && high > 10_000 && high > 4 * low;
}

/** The words over the charts: the verdict on the answer, its summary, its digest. */
export function answerWords() {
  const mark = byId('badge');
  badge.subscribe(({ tone, words }) => {
    mark.textContent = words;
    mark.className = `badge ${tone}`.trim();
    byId('answer').classList.toggle('stale', tone === 'stale');
  });
  answerSentence();
  // Written only where they change: growing curves leave them as they are.
  const notes = computed(() => summary.value?.notes.join(' ') ?? null);
  effect(() => {
    if (notes.value === null) return;
    byId('caption').textContent = notes.value;
    byId('digest').textContent = digest.value || answerTexts.noDigest;
  });
}
