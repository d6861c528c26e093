/** A label with a list of choices. */
export function Choice({ label, hidden, value, choices, choose }: ChoiceParts) {
  return (
    <label hidden={hidden}>
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {choices.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ChoiceParts {
  label: string;
  hidden?: boolean;
  value: string;
  choices: [value: string, words: string][];
  choose: (value: string) => void;
}
