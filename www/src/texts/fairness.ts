export const fairnessTexts = {
  open: 'How waits are spread over the jobs',
  help: 'A mean does not show which jobs wait. This is the distribution of wait times at one point, over all jobs and replications; its runs are repeated to compute it.',
};
