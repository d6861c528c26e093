/** A figure that was run again. */
export type Rerun = {
  /** The figure's name. */
  id: string,
  /** The paper, and the number or section in it. */
  source: string,
  /** What it shows, in a few words. */
  title: string,
  /** The interpretation; empty if the figure has only one. */
  interpretation: string,
  /** Its claims. */
  claims: Array<RerunClaim>,
};

/** A claim, judged by these runs alone. */
export type RerunClaim = {
  /** The name of the figure, a point, and that of the claim. */
  id: string,
  /** The statement, in our words. */
  text: string,
  /** The judgement, in words; empty if it also takes the runs of other figures. */
  outcome: string,
  /** The evidence, in words and numbers, or the figures whose runs it also takes. */
  sentence: string,
};
