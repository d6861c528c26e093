/** Files that are opened: scenarios, results, traces and topologies, and runs of the history. */
import { messageOf } from './message.ts';
import { asked, badge, enterAll, facet, reading, traceFor, work } from './state.ts';
import { badgeTexts } from './texts/badge.ts';
import { openedFilesTexts } from './texts/opened-files.ts';
import { traceTexts } from './texts/trace.ts';
import { say, unsay } from './view/banners.tsx';
import type { OpenedFile } from '../pkg/backfill_web.js';
import type { DocumentsParts } from './documents.ts';
import type { KeptRun, UnnamedRun } from './store.ts';

/** Shows a stored run, as far as this version understands it. */
export async function showKept(parts: DocumentsParts, run: KeptRun | UnnamedRun) {
  unsay('file');
  try {
    if ('pairs' in run) {
      enterAll(run.pairs);
      say('file', {
        title: openedFilesTexts.unnamed(run.core),
        details: openedFilesTexts.unnamedDetails,
        loud: true,
      });
      return;
    }
    const opened = await parts.exportWorker.started().ask('restore', { kept: run });
    showResult(parts, opened, openedFilesTexts.restored, run.view);
  } catch (error) {
    sayFailed(openedFilesTexts.keptFailed, error);
  }
}

/**
 * Shows a scenario, and its result if it has runs; those of another version are marked as such.
 * @param words the source of the runs
 * @param view the view of it, as in a link
 */
function showResult(parts: DocumentsParts, opened: OpenedFile, words: string, view: string = '') {
  const { answer, workbench, traces, look } = parts;
  const { pairs, outcomes, core: by, lacks } = opened;
  // A scenario can be entered at any time; a result replaces the current run.
  if (outcomes.length > 0 && work.peek().phase !== 'idle') {
    workbench.instead(() => showResult(parts, opened, words, view));
    return;
  }
  enterAll(pairs);
  const now = reading.peek();
  if (now === null || now.problems.length > 0) return;
  if (outcomes.length === 0) {
    badge.value = { tone: 'stale', words: badgeTexts.stale };
    return;
  }
  unsay('wanted');
  asked.trace = null;
  look(view);
  facet.value = asked.facet;
  const known = { outcomes, verdict: { tone: '', words }, maker: by, spent: Infinity } as const;
  workbench.present(now, known, asked.run);
  asked.facet = 0;
  asked.run = null;
  if (now.trace !== null && traceFor(now) === null) {
    const { file, sha256 } = now.trace;
    traces.want(now.trace, traceTexts.ofResult(file), traceTexts.ofResultDetails(sha256));
  }
  if (by !== answer.version || lacks.length > 0) {
    say('file', {
      title: openedFilesTexts.otherCore(by, answer.version),
      details: openedFilesTexts.lacks(lacks),
    });
  }
  // The messages about the run before no longer apply.
  work.value = { ...work.peek(), words: '' };
}

/**
 * Opens files that come together: one scenario or result, one trace, which it may use, and one
 * topology. Other files are reported as unused.
 */
export async function takeFiles(parts: DocumentsParts, files: File[]) {
  const are = await Promise.all(files.map(kindOf));
  const kinds = ['scenario', 'trace', 'topology'] as const;
  const used = kinds.flatMap((kind) => files[are.indexOf(kind)] ?? []);
  for (const file of used) await takeFile(parts, file);
  const unused = files.filter((file) => !used.includes(file));
  if (unused.length === 0) return;
  const [names, others] = [used, unused].map((all) => all.map(({ name }) => name));
  say('unused', { title: openedFilesTexts.unused(names, others) });
}

/** Opens any file of the user. */
export async function takeFile(parts: DocumentsParts, file: File) {
  unsay('unused');
  const { traces } = parts;
  const kind = await kindOf(file);
  if (kind === 'trace') return traces.take(file);
  if (kind === 'topology') return traces.takeTopology(file);
  unsay('file');
  try {
    const contents = await file.text();
    const opened = await parts.exportWorker.started().ask('open', { contents });
    showResult(parts, opened, openedFilesTexts.opened(file.name));
  } catch (error) {
    sayFailed(openedFilesTexts.fileFailed(file.name), error);
  }
}

/** Opens a file beside the page, by its address relative to the page's. */
export async function takeNamed(parts: DocumentsParts, address: string) {
  try {
    await takeFile(parts, await fetched(address));
  } catch (error) {
    sayFailed(openedFilesTexts.failed(address), error);
  }
}

function sayFailed(title: string, error: unknown) {
  const details = messageOf(error);
  say('file', { title, details, loud: true });
}

/**
 * Fetches a file beside the page. Throws a sentence if it is unavailable or elsewhere: the page
 * never contacts another host.
 * @param address relative to the page's
 */
async function fetched(address: string) {
  const from = new URL(address, location.href);
  if (from.origin !== location.origin) throw new Error(openedFilesTexts.elsewhere(from.host));
  const response = await fetch(from);
  if (!response.ok) throw new Error(openedFilesTexts.missing(response.status));
  return new File(
    [await response.blob()],
    decodeURIComponent(from.pathname.split('/').at(-1) ?? ''),
  );
}

/**
 * What a file is, by its name; of JSON, and of names that say nothing of it, by its start. What
 * `sacct --json` prints is a trace.
 */
async function kindOf(file: File) {
  if (/\.toml$/i.test(file.name)) return 'scenario';
  if (/\.(conf|ya?ml)$/i.test(file.name)) return 'topology';
  const start = await file.slice(0, 1 << 16).text();
  if (/^\s*(SwitchName|BlockName)\s*=/im.test(start)) return 'topology';
  if (!/\.json$/i.test(file.name)) return 'trace';
  if (/^\s*\[?\s*\{\s*"topology"/i.test(start)) return 'topology';
  return /"jobs"\s*:\s*\[|"meta"\s*:\s*\{/.test(start) ? 'trace' : 'scenario';
}
