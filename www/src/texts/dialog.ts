export const dialogTexts = {
  copied: 'Copied to the clipboard.',
  copyByHand: 'The browser did not allow copying: press Ctrl+C.',
  copy: 'Copy',
  close: 'Close',
};
