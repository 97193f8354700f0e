import type { WorkChange } from '@kit-run/kit/command';

/** What became of the runs of a worker while it worked: claims, and how each of them ended here. */
export interface Tally {
  readonly claimed: number;
  readonly finished: number;
  readonly parked: number;
  readonly given_back: number;
  readonly lost: number;
}

export const NO_RUNS: Tally = { claimed: 0, finished: 0, parked: 0, given_back: 0, lost: 0 };

const COUNTED_AS: Readonly<Record<WorkChange['kind'], keyof Tally>> = {
  claimed: 'claimed',
  ended: 'finished',
  parked: 'parked',
  // It was claimed, and will be again.
  waiting: 'given_back',
  'given-back': 'given_back',
  lost: 'lost',
};

/** The tally after one more change. Pure. */
export function count(tally: Tally, { kind }: Pick<WorkChange, 'kind'>): Tally {
  const counted = COUNTED_AS[kind];
  return { ...tally, [counted]: tally[counted] + 1 };
}

/** For people; but for the claims, what did not occur is left out. */
export function tallyLine({ claimed, ...ends }: Tally): string {
  const said = Object.entries(ends).flatMap(([kind, many]) =>
    many === 0 ? [] : [`${many} ${kind.replace('_', ' ')}`],
  );
  return [`${claimed} claimed`, ...said].join(', ');
}
