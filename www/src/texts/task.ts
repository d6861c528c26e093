export const taskTexts = {
  details:
    'Which order of the queue makes jobs wait least behind the same reservation? The orders here are published ones. Write one of your own: weigh what a job asks for, such as size and estimate, against how long it has waited.',
  write: 'Write an order…',
};
