export const exampleTexts = {
  choose: 'Examples',
};
