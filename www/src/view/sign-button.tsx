interface SignButtonParts {
  sign: string;
  words: string;
  act: () => void;
}

/** A button with a sign; what it does is said in words to whom the sign is not enough. */
export function SignButton({ sign, words, act }: SignButtonParts) {
  return (
    <button type="button" aria-label={words} data-hint={words} onClick={act}>
      {sign}
    </button>
  );
}
