/**
 * What to type for a scenario on a command line; every word is quoted where a shell would take it
 * apart.
 * @param {[string, string][]} pairs
 * @param {'run' | 'slurm' | 'hq'} name what is done with it
 */
export function command(pairs, name = 'run') {
  return ['backfill', name, ...pairs.map(([key, value]) => quoted(`${key}=${value}`))].join(' ');
}

/** @param {string} word */
function quoted(word) {
  return /^[\w\-.,:+=/%@]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
