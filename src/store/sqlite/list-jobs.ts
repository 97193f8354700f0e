import type { Job } from '../../domain/job.js';
import type { JobFilter } from '../../domain/ports/stores.js';
import { listingOf } from '../list-jobs.js';
import { runNow } from '../program.js';
import { LIST_CONDITIONS } from './sql/jobs.js';
import type { SqlRunner } from './sql-runner.js';

export const listJobs = (sql: SqlRunner, filter: JobFilter): readonly Job[] =>
  runNow(sql, listingOf(filter, { conditions: LIST_CONDITIONS, list: (texts) => JSON.stringify(texts) }));
