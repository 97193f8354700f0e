import type { JobNeeds } from '../domain/job-needs.js';
import type { WaitingCount, WaitingKind } from '../domain/ports/serving.js';
import type { RowParams } from './columns.js';

/** Kinds of one list: jobs of a workspace have few. */
export const KINDS_LISTED = 1000;

/** What of a job its claim looks at, as both dialects return it. */
export interface KindRow {
  readonly engine: number;
  readonly job_class: string;
  readonly needs: string;
}

/** The casts restore what `newRowParams` wrote. */
export const decodeKinds = (rows: readonly KindRow[]): readonly WaitingKind[] =>
  rows.map((row) => ({
    engine: row.engine,
    jobClass: row.job_class as WaitingKind['jobClass'],
    needs: JSON.parse(row.needs) as WaitingKind['needs'],
  }));

export interface NeedsRow {
  readonly needs: string;
}

/** A row that cannot be read is nobody's: it keeps nobody from the others. */
export const decodeNeeds = (rows: readonly NeedsRow[]): readonly JobNeeds[] =>
  rows.flatMap(({ needs }) => {
    try {
      // The cast restores what `newRowParams` wrote.
      return [JSON.parse(needs) as JobNeeds];
    } catch {
      return [];
    }
  });

/** The same text as the column has: both were written from a value of this type. */
export const kindParams = ({ engine, jobClass, needs }: WaitingKind): RowParams<'engine' | 'jobClass' | 'needs'> => ({
  engine,
  jobClass,
  needs: JSON.stringify(needs),
});

export interface CountRow {
  readonly jobs: number;
  readonly example: string | null;
}

export const waitingCount = (row: CountRow | undefined): WaitingCount | null =>
  row === undefined || row.example === null ? null : { jobs: row.jobs, example: row.example };
