export const inspectorTexts = {
  column: (label: string, kind: string) => (kind === 'rate' ? `${label} (Mbit/s)` : label),
};
