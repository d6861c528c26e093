export const filesTexts = {
  drop: 'Drop the file to open it',
  pasted: 'pasted',
};
