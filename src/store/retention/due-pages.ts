import type { AuditRemoval } from '../../domain/ports/retention.js';
import type { DueRun, RetentionDialect } from './dialect.js';

/** Runs of one look: a page of them holds up nobody. */
export const PAGE_RUNS = 500;

/** Which runs are asked for, how many at a time, and who may end it between two pages. */
export interface DuePages {
  readonly before: string;
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * In the order in which they ended; what a page holds may be removed before the next is asked for.
 */
export async function* duePages(
  dialect: Pick<RetentionDialect, 'due'>,
  { before, limit, signal }: DuePages,
): AsyncGenerator<readonly DueRun[]> {
  let after: Pick<DueRun, 'at' | 'ord'> = { at: '', ord: 0 };
  for (;;) {
    signal?.throwIfAborted();
    const page = await dialect.due({ before, after, limit });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last;
  }
}

/** How many there were, and the first and the last: of some million runs nothing else is kept. */
export interface RunTally {
  add(runs: readonly DueRun[]): void;
  count(): number;
  span(): Pick<AuditRemoval, 'runs' | 'oldest' | 'newest'>;
}

export function createTally(): RunTally {
  let [count, oldest, newest]: [number, string | null, string | null] = [0, null, null];
  return {
    add(runs) {
      count += runs.length;
      oldest ??= runs.at(0)?.at ?? null;
      newest = runs.at(-1)?.at ?? newest;
    },
    count: () => count,
    span: () => ({ runs: count, oldest, newest }),
  };
}
