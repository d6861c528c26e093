export const openedFilesTexts = {
  unused: (used: string[], unused: string[]) =>
    `${used.join(' and ')} ${used.length === 1 ? 'is' : 'are'} used; ${unused.join(', ')} ${unused.length === 1 ? 'is' : 'are'} not: one log, one topology and one scenario or result at a time.`,
  failed: (address: string) =>
    `The file ${address}, which the address of this page names, could not be opened`,
  elsewhere: (host: string) =>
    `It lies on ${host}, and this page asks nothing of other hosts. Save it and drop it here.`,
  missing: (status: number) =>
    `The host answered ${status}. Check the name, or choose the file yourself.`,
};
