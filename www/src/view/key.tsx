/**
 * A sample of a look, with its label.
 * @param kind the class of the sample
 * @param words null while there is nothing of this look
 */
export function Key({ kind, words }: { kind: string; words: string | null }) {
  return (
    <span class="key" hidden={words === null}>
      <span class={`sample ${kind}`} />
      {words}
    </span>
  );
}
