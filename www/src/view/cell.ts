import { instant, significant, span } from '../format.ts';
import type { Column } from '../../pkg/backfill_web.js';

/**
 * A value of a column of a run's jobs.
 * @param words the words of a column of words
 */
export function cell(kind: Column['kind'], value: number | null, words: string[]) {
  if (value === null) return '–';
  switch (kind) {
    case 'count':
      return String(value);
    case 'instant':
      return instant(value);
    case 'span':
      return span(value);
    case 'rate':
      return value.toFixed(1);
    case 'ratio':
      return value.toFixed(2);
    case 'number':
      return significant(value);
    case 'word':
      return words[value];
  }
}
