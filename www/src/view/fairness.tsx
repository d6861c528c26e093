/**
 * The distribution of waits over the jobs at one point of the answer: for each policy the
 * distribution behind its mean, as curves over the share of jobs. It is fetched and computed when
 * it is opened.
 */
import { signal } from '@preact/signals';
import { byId } from '../dom.ts';
import { mountInstead } from '../mount.ts';
import { onDemand } from '../part.ts';
import { summary } from '../state.ts';
import { fairnessTexts } from '../texts/fairness.ts';
import type { VNode } from 'preact';
import type { FairnessParts } from './fairness-state.ts';

export function fairnessView(parts: FairnessParts) {
  const opened = signal<VNode | null>(null);
  const open = async ({ currentTarget: details }: { currentTarget: HTMLDetailsElement }) => {
    if (!details.open || opened.peek() !== null) return;
    const view = await onDemand();
    if (view !== null) opened.value ??= view.waitDistribution(parts, details);
  };
  const Drawn = () => (
    <details class="spread" onToggle={(event) => void open(event)}>
      <summary>{fairnessTexts.open}</summary>
      <p class="soft">{fairnessTexts.help}</p>
      {opened}
    </details>
  );
  mountInstead(<Drawn />, byId('spread'));
  summary.subscribe((now) => {
    byId('fairness').hidden = now === null;
  });
}
