/** Links: opens the address, and writes the state of the page into it. */
import { command } from './command.ts';
import { messageOf } from './message.ts';
import { onDemand } from './part.ts';
import { Hiding } from './hiding.ts';
import { LONG, SHORT } from './link-form.ts';
import { readView, writeView } from './link-view.ts';
import {
  across,
  asked,
  digest,
  enterAll,
  facet,
  forecastJob,
  hidden,
  inspected,
  lesson,
  reading,
  section,
  stepped,
  summary,
  trace,
  up,
} from './state.ts';
import { linkTexts } from './texts/link.ts';
import { traceTexts } from './texts/trace.ts';
import { say, unsay } from './view/banners.tsx';
import { showAnswer } from './view/layout.ts';
import { SECTIONS, goTo } from './view/tabs.ts';
import type { Answer } from './answer.ts';
import type { Core } from './core.ts';
import type { Traces } from './trace.ts';

interface LinksParts {
  core: Core;
  answer: Answer;
  traces: Traces;
  /** Runs the opened scenario. */
  runByItself: () => void;
  /** Saves the scenario in the form as a file. */
  saveScenario: () => Promise<void>;
}

export class Links {
  readonly #parts: LinksParts;
  /** The scenario that was run last, and its address; null once an address is opened. */
  #ran: { text: string; address: string } | null = null;
  /** The link that was to be opened last: a short one takes a while. */
  #tried = '';
  /** The scenario of the short link that was opened last. */
  #short: { text: string; hash: string } | null = null;
  readonly #hiding: Hiding;

  constructor(parts: LinksParts) {
    this.#parts = parts;
    this.#hiding = new Hiding(parts.answer, () => this.showAddress());
  }

  /**
   * Writes the scenario in the form into the address.
   * @param isRun whether it has just been run
   */
  showAddress(isRun: boolean = false) {
    const { core, answer } = this.#parts;
    const now = reading.peek();
    if (now === null || now.problems.length > 0) return;
    let address = location.pathname + location.search;
    const { note, hide } = lesson.peek();
    // What somebody teaches with stays as it is when the page is loaded again.
    const isLesson = note !== '' || hide !== '' || (stepped.peek() ?? asked.step) !== null;
    const view = isLesson ? this.viewed(note) : shownSection();
    try {
      if (now.changed.length > 0 || view !== '' || isLesson)
        address = core.write_link(
          now.text,
          now.text === answer.text && now.changed.length > 0 ? digest.peek() : '',
          view || undefined,
          hide || undefined,
          answer.maker,
        );
    } catch {
      // The scenario is too long for a plain link; Share has a short one.
      if (this.#short?.text === now.text) address = this.#short.hash;
    }
    if (isRun && now.text === answer.text) this.#enterRun(now.text, address);
    else history.replaceState(null, '', address);
  }

  /** A run of another scenario is a step on, from which a step back leads to the one before. */
  #enterRun(text: string, address: string) {
    const before = this.#ran;
    if (before !== null && before.text !== text) {
      // The scenario has been changed since.
      history.replaceState(null, '', before.address);
      history.pushState(null, '', address);
    } else {
      history.replaceState(null, '', address);
    }
    this.#ran = { text, address };
  }

  /**
   * What to share now; null, with a message, if the form is no valid scenario or too long for a
   * link.
   * @param hide parts of the page hidden for visitors with the link
   * @param note their note above it
   */
  shared(hide: string, note: string) {
    const { core, answer, saveScenario } = this.#parts;
    const now = reading.peek();
    if (now === null || now.problems.length > 0) return null;
    unsay('share');
    const complete = now.text === answer.text ? digest.peek() : '';
    let link: string;
    try {
      link = core.write_link(now.text, complete, this.viewed(note), hide, answer.maker, true);
    } catch (error) {
      say('share', {
        title: linkTexts.none,
        details: String(error),
        loud: true,
        actions: [{ words: linkTexts.file, act: () => void saveScenario() }],
      });
      return null;
    }
    if (link.length <= LONG) history.replaceState(null, '', link);
    return {
      address: new URL(link, location.href).href,
      digest: complete !== '',
      trace: now.trace?.file ?? '',
      command: command(now.changed),
    };
  }

  /**
   * The view of the answer, for a link.
   * @param part the part of the page that it opens
   */
  viewed(note: string = '', part: string = shownSection()) {
    // Run and axes are those of the answer, which the form may have left.
    const isOfAnswer = reading.peek()?.text === this.#parts.answer.text;
    return writeView({
      facet: facet.peek(),
      hidden: hidden.peek(),
      // Those that a link leads to are not open yet.
      run: isOfAnswer ? (openedRun() ?? asked.run) : null,
      step: isOfAnswer ? (stepped.peek() ?? asked.step) : null,
      across: isOfAnswer ? across.peek() : null,
      up: isOfAnswer ? up.peek() : {},
      section: part,
      note,
    });
  }

  /** Applies the view of a link to the answer. */
  look(text: string) {
    const view = readView(text, SECTIONS);
    this.note(view.note, view.step !== null);
    if (view.invalid === null) unsay('zoom');
    else say('zoom', { title: linkTexts.badZoom, details: linkTexts.badZoomDetails(view.invalid) });
    hidden.value = view.hidden;
    asked.run = view.run;
    asked.step = view.step;
    asked.zoom = { across: view.across, up: view.up };
    asked.facet = view.facet;
    forecastJob.value = view.forecast;
    if (view.section === '') section.value = '';
    else goTo(view.section);
  }

  /**
   * Says the note of a link.
   * @param isBeside whether it stands beside the step of a pass
   */
  note(words: string, isBeside: boolean = false) {
    lesson.value = { ...lesson.peek(), note: words, isBeside };
    if (words === '' || isBeside) {
      unsay('note');
      return;
    }
    const dismissed = () => {
      this.note('');
      this.showAddress();
    };
    say('note', { title: linkTexts.note, details: words, dismissed });
  }

  /** Opens the address; without a link the opening scenario. */
  open(hash = location.hash) {
    this.#ran = null;
    this.#tried = hash;
    const part = SECTIONS.find((name) => hash === `#${name}`);
    if (part !== undefined) goTo(part);
    if (part !== undefined && asked.read) {
      this.showAddress();
      return;
    }
    if (hash === '' || hash === '#' || part !== undefined) {
      if (part === undefined) {
        section.value = '';
        this.note('');
        this.#hiding.conceal('');
      }
      asked.promised = null;
      enterAll([]);
      asked.read = true;
      this.#parts.runByItself();
      return;
    }
    void this.#tryLink(hash);
  }

  async #tryLink(hash: string) {
    try {
      if (!hash.startsWith(SHORT)) {
        this.#openLink(hash);
        return;
      }
      const plain = await (await onDemand())?.lengthened(hash);
      if (plain === undefined || this.#tried !== hash) return;
      this.#openLink(plain);
      this.#short = { text: reading.peek()?.text ?? '', hash };
    } catch (error) {
      // Nothing is replaced, and the answer to another scenario is not shown instead.
      if (summary.peek() === null) showAnswer(false);
      say('link', {
        title: linkTexts.bad,
        details: messageOf(error),
        loud: true,
        actions: [{ words: linkTexts.openDefault, act: () => this.#openDefault() }],
      });
    }
  }

  /** Opens a link; throws what is wrong with it. */
  #openLink(hash: string) {
    const { core, answer, traces, runByItself } = this.#parts;
    const link = core.read_link(hash);
    unsay('link');
    this.look(link.view);
    this.#hiding.conceal(link.hide);
    enterAll(link.pairs);
    const now = reading.peek();
    asked.promised = { text: now?.text ?? '', digest: link.digest, core: link.core };
    unsay('core-differs');
    if (link.typed || (link.core !== '' && link.core !== answer.version))
      void onDemand().then((view) => view?.tellOrigin(link, answer.version, hash));
    asked.read = true;
    if (!now?.trace || trace.peek()?.report.sha256 === now.trace.sha256) {
      runByItself();
      return;
    }
    showAnswer(summary.peek() !== null);
    const { file, sha256 } = now.trace;
    const details = sha256 === '' ? traceTexts.wantedUnchecked : traceTexts.wantedDetails(sha256);
    traces.want(now.trace, traceTexts.wanted(file), details);
  }

  #openDefault() {
    unsay('link');
    history.replaceState(null, '', location.pathname + location.search);
    this.open();
  }
}

/** The opened part of the page, with the job that is asked about there. */
function shownSection() {
  const job = forecastJob.peek();
  const name = section.peek();
  return name === 'when' && job !== '' ? `${name}:${job}` : name;
}

/** The opened run, if it is not the default one. */
function openedRun() {
  const run = inspected.peek();
  if (run === null) return null;
  const last = (reading.peek()?.x?.values.length ?? 1) - 1;
  const { policy, x, y, replication, beside } = run;
  const isDefault = policy === 0 && x === last && y === 0 && replication === 0 && beside === null;
  return isDefault ? null : run;
}
