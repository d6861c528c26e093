/**
 * The command line for a scenario; every word is quoted if a shell would split or expand it.
 * @param name the command
 */
export function command(pairs: [string, string][], name: 'run' | 'slurm' | 'hq' = 'run') {
  return ['backfill', name, ...pairs.map(([key, value]) => quoted(`${key}=${value}`))].join(' ');
}

function quoted(word: string) {
  return /^[\w\-.,:+=/%@]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
