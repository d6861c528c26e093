import { whole } from '../format.ts';

export const qrCodeTexts = {
  title: 'QR code',
  alternative: 'QR code of the link to this scenario',
  link: (length: number) => `the link to this scenario, ${whole(length)} characters.`,
  short: (length: number) => `the short link to this scenario, ${whole(length)} characters.`,
};
