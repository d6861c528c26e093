/**
 * The composer: a dialog in which a user composes a policy from the parts of another one. The core
 * provides the choices and checks the entries; none of them is known here. The components of
 * composer.tsx draw it.
 */
import { messageOf } from '../message.ts';
import { latest } from '../dom.ts';
import { batch, signal } from '@preact/signals';
import { span } from '../format.ts';
import { clock, entries, kept, reading } from '../state.ts';
import { ownTexts } from '../texts/own.ts';
import { Cancelled, Refused } from '../worker/worker-client.ts';
import { orderedInRun, valuesOf } from './ordered.ts';
import { lookInto } from '../worker/look.ts';
import { labelOf } from './other-passes.ts';
import type { Composer, Judged, OwnPolicy } from '../../pkg/backfill_web.js';
import type { Tables } from '../state.ts';
import type { InspectorCall } from '../worker/messages.ts';
import type { WorkerClient } from '../worker/worker-client.ts';

/** The number of jobs for which the values of an order are shown. */
const EXAMPLES = 3;

export interface ComposerParts {
  /** Returns the worker that checks. */
  startedExportWorker: () => WorkerClient;
  /** The worker that keeps the opened run. */
  replayWorker: WorkerClient;
  keys: Tables['keys'];
  /** Runs the scenario. */
  run: () => void;
}

export class Composing {
  /** What the core offers for the policy that it starts from. */
  readonly offer = signal<Composer | null>(null);
  readonly own = signal<OwnPolicy | null>(null);
  /** The last verdict on it. */
  readonly judged = signal<Judged | null>(null);
  /** What the policy starts from, in a sentence. */
  readonly from = signal('');
  readonly example = signal('');
  readonly status = signal({ words: '', isWrong: false });
  /** The value of the checked policy; empty if the scenario cannot take it. */
  readonly composed = signal('');
  /** Whether it can be added, not only replace the policy that it starts from. */
  readonly canAdd = signal(false);
  /** The value and label of the policy it starts from. */
  readonly started = signal({ value: '', label: '' });
  /** The formula into which names are inserted. */
  writing: HTMLTextAreaElement | null = null;
  readonly #parts: ComposerParts;
  /** Entries that were not added yet, by the policy that they started from. */
  readonly #drafts = new Map<string, OwnPolicy>();
  #draft = '';
  /** The position of the policy that it starts from. */
  #from = 0;
  /** The last checked policy. */
  #judgedOwn: OwnPolicy | null = null;
  /** What to do with the entries as soon as they are checked. */
  #wanted: (() => void) | null = null;
  readonly #policiesKey: string;
  readonly #referenceKey: string;

  constructor(parts: ComposerParts) {
    this.#parts = parts;
    const nameOf = (kind: string) => parts.keys.find((key) => key.kind === kind)?.name ?? '';
    this.#policiesKey = nameOf('policies');
    this.#referenceKey = nameOf('reference');
  }

  /** Begins with a policy, while its parts are still to come. */
  begin(policy: { value: string; label: string }) {
    this.#judgedOwn = this.#wanted = null;
    batch(() => {
      this.offer.value = null;
      this.own.value = null;
      this.judged.value = null;
      this.composed.value = '';
      this.canAdd.value = false;
      this.started.value = { value: policy.value, label: policy.label };
      this.from.value = ownTexts.loading;
      this.example.value = '';
      this.status.value = { words: '', isWrong: false };
    });
  }

  /** Fetches the parts of the policy at a position of the scenario, and shows them. */
  async fetch(scenario: string, policy: number, isTask: boolean) {
    const offer = await this.#parts.startedExportWorker().ask('composer', { scenario, policy });
    if (isTask) offer.own.parts[0] = '';
    this.#from = policy;
    this.#draft = `${isTask ? 'task ' : ''}${this.started.peek().value}`;
    const begins = ownTexts.from(offer.label);
    batch(() => {
      this.offer.value = offer;
      this.own.value = this.#drafts.get(this.#draft) ?? offer.own;
      this.from.value = offer.remark === null ? begins : `${begins} ${ownTexts.more(offer.remark)}`;
    });
    void this.#judge();
  }

  /** Gives a part another value. */
  enter(place: number, value: string) {
    const parts = this.own.peek()?.parts.map((each, at) => (at === place ? value : each));
    if (parts !== undefined) this.change({ parts });
  }

  /** Changes what is entered. */
  change(what: Partial<OwnPolicy>) {
    const own = this.own.peek();
    if (own === null) return;
    const changed = { ...own, ...what };
    this.own.value = changed;
    this.#drafts.set(this.#draft, changed);
    void this.#judge();
  }

  /** Begins again with the parts of the policy that it starts from. */
  startOver() {
    const offer = this.offer.peek();
    if (offer === null) return;
    this.#drafts.delete(this.#draft);
    this.own.value = offer.own;
    void this.#judge();
  }

  /** Has the entries checked. */
  readonly #judge = latest(async () => {
    const mine = this.own.peek();
    if (mine === null) return;
    try {
      const scenario = reading.peek()?.text ?? '';
      const given = { scenario, from: this.#from, own: mine };
      const judged = await this.#parts.startedExportWorker().ask('judge', given);
      const words = await this.#exampleOf(mine.parts[0], judged);
      if (mine === this.own.peek()) this.#show(judged, words);
    } catch (error) {
      if (error instanceof Cancelled) return;
      const why = messageOf(error);
      batch(() => {
        this.composed.value = '';
        this.canAdd.value = false;
        this.status.value = { ...this.status.peek(), words: ownTexts.failed(why) };
      });
    }
  });

  /** @param example the values of the order for some jobs */
  #show(judged: Judged, example: string) {
    const { present, can_add: canAdd, told, problems } = judged;
    const isValid = told !== '';
    batch(() => {
      this.judged.value = judged;
      this.status.value = {
        words: isValid
          ? [told, present ? ownTexts.present : canAdd ? '' : ownTexts.onlyReplaces]
              .join(' ')
              .trim()
          : problems.join(' '),
        isWrong: problems.length > 0,
      };
      this.example.value = example;
      this.composed.value = present ? '' : judged.value;
      this.canAdd.value = canAdd;
    });
    this.#judgedOwn = this.own.peek();
    const act = this.#wanted;
    this.#wanted = null;
    act?.();
  }

  /**
   * The values of an order for some jobs of the opened run; without one, for the core's own
   * example.
   */
  async #exampleOf(order: string, { sample }: Judged) {
    if (sample.length === 0) return '';
    const inRun = await this.#exampleInRun(order);
    if (inRun !== null) return inRun;
    const jobs = [...sample].sort((one, other) => one.number - other.number);
    return ownTexts.inSample(
      jobs.map(({ number, size, estimate, wait }) =>
        ownTexts.sampleJob(number, ownTexts.slots(size), span(estimate), span(wait)),
      ),
      valuesOf(sample),
      sample[0].number,
    );
  }

  /** The values of an order for some jobs that wait in the opened run; null if none does. */
  async #exampleInRun(order: string) {
    const open = kept.peek();
    if (!open?.deep) return null;
    try {
      const call: InspectorCall<'examples'> = ['examples', order, clock.peek(), EXAMPLES];
      const [given] = (await lookInto(this.#parts.replayWorker, open.number, call)) ?? [];
      const isThere = given !== undefined && given.waiting > 0;
      return isThere ? ownTexts.inRun(labelOf(open), orderedInRun(given)) : null;
    } catch (error) {
      // Another run may be taking its place.
      if (error instanceof Cancelled || error instanceof Refused) return null;
      throw error;
    }
  }

  /** Adds the policy to those of the scenario. */
  add(taken: (place: number) => void) {
    this.#take((policies) => [...policies, this.composed.peek()], taken);
  }

  /** Puts the policy in the place of the one that it starts from. */
  replace(taken: (place: number) => void) {
    const put = (each: string) =>
      each === this.started.peek().value ? this.composed.peek() : each;
    this.#take((policies) => policies.map(put), taken);
  }

  /**
   * Changes the policies of the scenario, as soon as the entries are checked, and runs it.
   * @param taken called with the position of the composed policy before the run
   */
  #take(put: (policies: string[]) => string[], taken: (place: number) => void) {
    const now = reading.peek();
    if (this.#judgedOwn !== this.own.peek()) {
      this.#wanted = () => this.#take(put, taken);
      return;
    }
    if (now === null || this.composed.peek() === '') return;
    const { [this.#referenceKey]: compared, ...rest } = entries.peek();
    // The policy that takes the place of the reference is the reference.
    const [reference] = put([compared]);
    const policies = put(now.policies.map(({ value }) => value));
    entries.value = {
      ...rest,
      ...(policies.includes(reference) ? { [this.#referenceKey]: reference } : {}),
      [this.#policiesKey]: policies.join(','),
    };
    this.#drafts.delete(this.#draft);
    taken(policies.indexOf(this.composed.peek()));
    this.#parts.run();
  }
}
