/**
 * A sample of a look, with its label.
 * @param kind the class of the sample
 */
export function Key({ kind, words }: { kind: string; words: string }) {
  return (
    <span class="key">
      <span class={`sample ${kind}`} />
      {words}
    </span>
  );
}
