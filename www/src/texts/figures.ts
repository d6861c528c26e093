export const figuresTexts = {
  shown: (figures: number, allFigures: number, claims: number, allClaims: number) =>
    `${figures} of ${allFigures} figures and tables, ${claims} of ${allClaims} claims`,
};
