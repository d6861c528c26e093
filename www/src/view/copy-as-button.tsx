/** The button beside a chart that copies it. What it offers is fetched when it is first pressed. */
import { copying } from '../state.ts';
import { answerTexts } from '../texts/answer.ts';
import type { ReadonlySignal } from '@preact/signals';
import type { Copyable } from '../state.ts';

interface CopyAsParts {
  /** The name of the chart. */
  name: string | ReadonlySignal<string>;
  /** What the chart is of when it is copied. */
  chart: () => Copyable;
}

export function CopyAs({ name, chart }: CopyAsParts) {
  const words = typeof name === 'string' ? name : name.value;
  return (
    <button
      type="button"
      class="copy-as"
      aria-label={answerTexts.copyAs(words)}
      aria-haspopup="dialog"
      onClick={({ currentTarget: button }) => {
        // Once it has a menu, the browser opens and closes that.
        if (button.popoverTargetElement === null) copying.value = { button, chart };
      }}
    >
      {answerTexts.copy}
    </button>
  );
}
