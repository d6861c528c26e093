/** Links: opens the address, and writes the state of the page into it. */
import { command } from './command.ts';
import { byId } from './dom.ts';
import { part } from './part.ts';
import {
  LONGEST_NOTE,
  across,
  asked,
  digest,
  enterAll,
  facet,
  hidden,
  inspected,
  reading,
  section,
  summary,
  trace,
  up,
} from './state.ts';
import { linkTexts } from './texts/link.ts';
import { traceTexts } from './texts/trace.ts';
import { say, unsay } from './view/banners.ts';
import { SECTIONS, goTo } from './view/tabs.ts';
import type { Part } from '../pkg/backfill_web.js';
import type { Answer } from './answer.ts';
import type { Core } from './core.ts';
import type { Heights } from './state.ts';
import type { Traces } from './trace.ts';

/** The parts of the page that a link may hide, by their ids. */
const PARTS = ['scenario', 'tools', 'compare', 'fairness', 'inside', 'numbers'];
/** The part that makes a link ask for a prediction before it shows the answer. */
const PREDICTION = 'prediction';
/** Precedes the metric in the name of a part with the visible range of its values. */
const OF_METRIC = 'zoom-';
/** How much of an invalid part is quoted, in characters. */
const LONGEST_PART = 40;
/** The number of digits of visible ranges in a link. */
const DIGITS = 5;
/** The start of a note in the view of a link. */
const NOTE = 'note:';

interface CreateLinksParts {
  core: Core;
  answer: Answer;
  /** Runs the opened scenario. */
  runByItself: () => void;
  wantTrace: Traces['want'];
  /** Saves the scenario in the form as a file. */
  saveScenario: () => Promise<void>;
}

export type Links = ReturnType<typeof createLinks>;

export function createLinks({
  core,
  answer,
  runByItself,
  wantTrace,
  saveScenario,
}: CreateLinksParts) {
  /** Ends the question of a link before its answer is shown. */
  let predicted: (() => void) | null = null;

  function showAddress() {
    const now = reading.get();
    if (now === null || now.problems.length > 0) return;
    let address = location.pathname + location.search;
    try {
      if (now.changed.length > 0 || section.get() !== '')
        address = core.write_link(
          now.text,
          now.text === answer.text && now.changed.length > 0 ? digest.get() : '',
          section.get() || undefined,
          undefined,
          answer.maker,
        );
    } catch {
      // The scenario is too long for a link, so the address is without it; Share says why.
    }
    history.replaceState(null, '', address);
  }

  /**
   * What to share now; null, with a message, if the form is no valid scenario or too long for a
   * link.
   * @param hide parts of the page hidden for visitors with the link
   * @param note their note above it
   */
  function shared(hide: string, note: string) {
    const now = reading.get();
    if (now === null || now.problems.length > 0) return null;
    unsay('share');
    const complete = now.text === answer.text ? digest.get() : '';
    try {
      history.replaceState(
        null,
        '',
        core.write_link(now.text, complete, viewed(note), hide, answer.maker),
      );
    } catch (error) {
      say('share', {
        title: linkTexts.none,
        details: String(error),
        loud: true,
        actions: [{ words: linkTexts.file, act: () => void saveScenario() }],
      });
      return null;
    }
    return {
      address: location.href,
      digest: complete !== '',
      trace: now.trace?.file ?? '',
      command: command(now.changed),
    };
  }

  /** The view of the answer, for a link; a note comes last, since it may contain anything. */
  function viewed(note: string) {
    const off = [...hidden.get()].sort((one, other) => one - other);
    const parts = [
      facet.get() > 0 ? `y:${facet.get()}` : '',
      off.length > 0 ? `off:${off.join('+')}` : '',
      viewedRun(),
      ...viewedAxes(),
      section.get(),
      note === '' ? '' : `${NOTE}${note}`,
    ];
    return parts.filter(Boolean).join(',');
  }

  /** The opened run, if it is not the default one. */
  function viewedRun() {
    const run = inspected.get();
    const last = (reading.get()?.x?.values.length ?? 1) - 1;
    if (run === null || reading.get()?.text !== answer.text) return '';
    const { policy, x, y, replication, beside } = run;
    if (policy === 0 && x === last && y === 0 && replication === 0 && beside === null) return '';
    return `run:${[policy, x, y, replication, ...(beside === null ? [] : [beside])].join('+')}`;
  }

  /** The visible ranges of the axes, if zoomed. */
  function viewedAxes() {
    if (reading.get()?.text !== answer.text) return [];
    const x = across.get();
    return [
      ...(x === null ? [] : [`zoom:${ends(x)}`]),
      ...Object.entries(up.get()).map(([metric, part]) => `${OF_METRIC}${metric}:${ends(part)}`),
    ];
  }

  /** The zoom of a link; an invalid part of it is left out and reported. */
  function axesOf(view: Map<string, string>) {
    let across = null;
    const up: Heights = {};
    unsay('zoom');
    for (const [name, text = ''] of view) {
      if (name !== 'zoom' && !name.startsWith(OF_METRIC)) continue;
      const part = between(text);
      if (part === null)
        say('zoom', {
          title: linkTexts.badZoom,
          details: linkTexts.badZoomDetails(`${name}:${text.slice(0, LONGEST_PART)}`),
        });
      else if (name === 'zoom') across = part;
      else up[name.slice(OF_METRIC.length)] = part;
    }
    return { across, up };
  }

  /** Applies the view of a link to the answer. */
  function look(view: string) {
    const end = view.indexOf(NOTE);
    // A link made by hand may have a longer note than can be written.
    const note = end < 0 ? '' : [...view.slice(end + NOTE.length)].slice(0, LONGEST_NOTE).join('');
    if (note === '') unsay('note');
    else say('note', { title: linkTexts.note, details: note });
    const parts = new Map(
      (end < 0 ? view : view.slice(0, end))
        .split(',')
        .map((part) => part.split(':', 2) as [string, string]),
    );
    const numbers = (part: string) =>
      (parts.get(part) ?? '')
        .split('+')
        .filter((text) => /^\d+$/.test(text))
        .map(Number);
    hidden.set(new Set(numbers('off')));
    const [policy, x, y, replication, beside = null] = numbers('run');
    asked.run = replication === undefined ? null : { policy, x, y, replication, beside };
    asked.zoom = axesOf(parts);
    asked.facet = /^\d+$/.test(parts.get('y') ?? '') ? Number(parts.get('y')) : 0;
    const part = SECTIONS.find((name) => parts.has(name));
    if (part === undefined) section.set('');
    else goTo(part);
  }

  /** Hides parts of the page, as a link requests, with a plain way to show them. */
  function conceal(hide: string) {
    for (const part of document.querySelectorAll('[data-hidden-by-link]'))
      part.removeAttribute('data-hidden-by-link');
    unsay('hides');
    predicted?.();
    predicted = null;
    const names = hide.split(',');
    const parts = names.filter((name) => PARTS.includes(name));
    const asks = names.includes(PREDICTION);
    if (parts.length === 0 && !asks) return;
    for (const part of parts) byId(part).setAttribute('data-hidden-by-link', '');
    if (asks) {
      predicted = () => {};
      const mine = predicted;
      void part(() => import('./view/on-demand.ts')).then((view) => {
        if (view !== null && predicted === mine)
          predicted = view.askFirst((metric) => answer.board?.compare(metric, facet.get()) ?? null);
      });
    }
    say('hides', {
      title: linkTexts.hides,
      actions: [{ words: linkTexts.showAll, act: () => conceal('') }],
    });
  }

  /** Opens the address; without a link the opening scenario. */
  function openAddress(hash = location.hash) {
    const part = SECTIONS.find((name) => hash === `#${name}`);
    if (part !== undefined) goTo(part);
    if (part !== undefined && asked.read) {
      showAddress();
      return;
    }
    if (hash === '' || hash === '#' || part !== undefined) {
      if (part === undefined) section.set('');
      asked.promised = null;
      enterAll([]);
      asked.read = true;
      runByItself();
      return;
    }
    try {
      const link = core.read_link(hash);
      unsay('link');
      look(link.view);
      conceal(link.hide);
      enterAll(link.pairs);
      const now = reading.get();
      asked.promised = { text: now?.text ?? '', digest: link.digest, core: link.core };
      unsay('core-differs');
      if (link.core !== '' && link.core !== answer.version) void tellOtherCore(link.core, hash);
      asked.read = true;
      if (now?.trace && trace.get()?.report.sha256 !== now.trace.sha256) {
        byId('answer').hidden = summary.get() === null;
        const { file, sha256 } = now.trace;
        const details =
          sha256 === '' ? traceTexts.wantedUnchecked : traceTexts.wantedDetails(sha256);
        wantTrace(now.trace, traceTexts.wanted(file), details);
      } else {
        runByItself();
      }
    } catch (error) {
      // Nothing is replaced, and the answer to another scenario is not shown instead.
      if (summary.get() === null) byId('answer').hidden = true;
      say('link', {
        title: linkTexts.bad,
        details: String(error),
        loud: true,
        actions: [{ words: linkTexts.openDefault, act: openDefault }],
      });
    }
  }

  /**
   * Reports that another version of the core made a link, and leads to the release with that core
   * if the host has it.
   */
  async function tellOtherCore(theirs: string, hash: string) {
    const title = linkTexts.otherCore(theirs, answer.version);
    say('core-differs', { title });
    const release = /^\d+(\.\d+)*$/.test(theirs) ? `./v${theirs}.html` : null;
    const kept =
      release !== null &&
      (await fetch(release, { method: 'HEAD' }).then(
        ({ ok }) => ok,
        () => false,
      ));
    if (asked.promised?.core !== theirs) return;
    if (kept)
      say('core-differs', {
        title,
        actions: [
          { words: linkTexts.openRelease(theirs), act: () => location.assign(release + hash) },
        ],
      });
    else say('core-differs', { title, details: linkTexts.noRelease(theirs) });
  }

  function openDefault() {
    unsay('link');
    history.replaceState(null, '', location.pathname + location.search);
    openAddress();
  }

  return { open: openAddress, showAddress, shared, viewed, look };
}

/** The values at the ends of a part of an axis, for a link. */
function ends({ of: { low, high, logarithmic }, from, to }: Part) {
  const value = (at: number) => (logarithmic ? low * (high / low) ** at : low + (high - low) * at);
  return [from, to].map((at) => Number(value(at).toPrecision(DIGITS))).join('+');
}

/** The part of an axis between the values of a link; null if they are invalid. */
function between(text: string): Part | null {
  const [low, high, ...more] = text.split('+').map((end) => (end === '' ? NaN : Number(end)));
  return more.length === 0 && Number.isFinite(low) && high > low && high < Infinity
    ? { of: { low, high, logarithmic: false }, from: 0, to: 1 }
    : null;
}
