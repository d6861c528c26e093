/** A checkbox with its words beside it. */

interface CheckParts {
  words: string;
  isOn: boolean;
  turn: (isOn: boolean) => void;
  /** What it stands for, among several. */
  value?: string;
}

export function Check({ words, isOn, turn, value }: CheckParts) {
  return (
    <label class="check">
      <input
        type="checkbox"
        value={value}
        checked={isOn}
        onChange={({ currentTarget }) => turn(currentTarget.checked)}
      />
      <span>{words}</span>
    </label>
  );
}
