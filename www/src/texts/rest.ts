export const restTexts = {
  missing: (why: string) =>
    `A part of the simulator could not be fetched (${why}): check the connection and try again.`,
};
