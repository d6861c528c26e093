/**
 * The command line for a scenario; every word is quoted if a shell would split or expand it.
 * @param {[string, string][]} pairs
 * @param {'run' | 'slurm' | 'hq'} name the command
 */
export function command(pairs, name = 'run') {
  return ['backfill', name, ...pairs.map(([key, value]) => quoted(`${key}=${value}`))].join(' ');
}

/** @param {string} word */
function quoted(word) {
  return /^[\w\-.,:+=/%@]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
