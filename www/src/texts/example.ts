export const exampleTexts = {
  choose: 'Examples',
  lessons: 'Lessons: watch a decision',
};
