export const copyAsTexts = {
  /** The forms, in the order in which they are offered. */
  forms: {
    png: 'PNG',
    svg: 'SVG',
    csv: 'CSV',
    tex: 'pgfplots',
    link: 'Link',
    embed: 'HTML to embed',
  },
  copied: (form: string) => `${form} copied.`,
  saved: (file: string) => `The browser did not allow copying: saved as ${file}.`,
};
