export const glossaryTexts = {
  called: (label: string) => `${label}:`,
  source: (source: string) => `Source: ${source}.`,
};
