import { whole } from '../format.ts';

export const shortLinkTexts = {
  broken:
    'this short link was altered or cut on its way, and cannot be unpacked: copy the whole address again',
  tooLong: (most: number) =>
    `this short link holds more than ${whole(most)} characters, which no link to a scenario has`,
};
