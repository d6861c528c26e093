/** What the texts of several views share. */
import { whole } from '../format.ts';

export const plural = (count: number, one: string, many: string) =>
  `${whole(count)} ${count === 1 ? one : many}`;

/** A difference in points: how it is said, or that there is none to be seen. */
export const differenceOf = (
  points: number,
  tell: (size: string, way: 'more' | 'less') => string,
  none: string,
) => {
  const size = Math.abs(points).toFixed(1);
  return size === '0.0' ? none : tell(size, points > 0 ? 'more' : 'less');
};
