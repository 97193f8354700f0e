import type { Job } from '../../domain/job.js';
import type { JobFilter } from '../../domain/ports/stores.js';
import { listingOf } from '../list-jobs.js';
import { runLater } from '../program.js';
import { LIST_CONDITIONS } from './sql/jobs.js';
import type { SqlRunner } from './sql-runner.js';

/** Statuses are words of kit: as the text of an array they need no more than quotes. */
const list = (statuses: readonly string[]): string => `{${statuses.map((status) => JSON.stringify(status)).join(',')}}`;

export const listJobs = (sql: SqlRunner, filter: JobFilter): Promise<readonly Job[]> =>
  runLater(sql, listingOf(filter, { conditions: LIST_CONDITIONS, list }));
