export const bannersTexts = { dismiss: 'Dismiss' };
