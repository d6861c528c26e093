/** The start of a short link. */
export const SHORT = '#z1?';
/** The most characters of a plain link, which the core keeps to: mail and chat programs cut longer ones. */
export const LONG = 2000;
