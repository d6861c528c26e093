import { Fragment } from 'preact';

export type Pair = [name: string, value: string];

/** Names and their values. */
export function Pairs({ all }: { all: Pair[] }) {
  return (
    <dl>
      {all.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
