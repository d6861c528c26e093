interface SignButtonParts {
  sign: string;
  words: string;
  act: () => void;
  disabled?: boolean;
}

/** A button with a sign; its words are its accessible name and its hint. */
export function SignButton({ sign, words, act, disabled }: SignButtonParts) {
  return (
    <button type="button" aria-label={words} data-hint={words} onClick={act} disabled={disabled}>
      {sign}
    </button>
  );
}
