import type { Job } from '../../../domain/job.js';
import type { Stores } from '../../../domain/ports/stores.js';
import type { Clock } from '../../../domain/ports/system.js';
import type { DoctorCheck } from '../../../view/doctor-report.js';
import { findLogBreak } from '../../proof/check-log.js';
import { fail, ok, warn } from './check.js';

const ID = 'logs';
/** Runs that are looked at without `--full`. */
const NEWEST = 100;
/** Below the time of a probe, so that what was found by then is told. */
const BUDGET_MS = 4_000;
const PAGE = 100;
/** Nobody reads more names in one line. */
const NAMED = 3;

/**
 * Whether the logs of the newest runs, or of all, are what was hashed, and the gates what was
 * decided.
 */
export async function checkLogs(
  stores: Pick<Stores, 'jobs' | 'events' | 'reviews'>,
  { full, clock }: { readonly full: boolean; readonly clock: Pick<Clock, 'now'> },
): Promise<DoctorCheck> {
  const startedMs = clock.now();
  const isOver = (): boolean => !full && clock.now() - startedMs > BUDGET_MS;
  const broken: string[] = [];
  let looked = 0;
  for await (const job of newest(stores, full ? Number.POSITIVE_INFINITY : NEWEST)) {
    if (isOver()) {
      if (broken.length > 0) break;
      return warn(ID, `the logs of the newest ${looked} runs are intact; there was no time for more`, FULL);
    }
    const wrong = await findLogBreak(stores, job);
    looked += 1;
    if (wrong !== null) broken.push(`run ${job.id}: ${wrong.message}`);
  }
  const which = full ? 'all' : 'the newest';
  if (broken.length === 0) return ok(ID, `the logs of ${which} ${looked} runs are intact`);
  const others = broken.length > NAMED ? `; and ${broken.length - NAMED} more` : '';
  return fail(ID, `${broken.slice(0, NAMED).join('; ')}${others}`, 'Compare the store with a backup: docs/errors.md.');
}

const FULL = 'kit doctor --full';

async function* newest({ jobs }: Pick<Stores, 'jobs'>, most: number): AsyncGenerator<Job> {
  let beforeId: string | undefined;
  for (let seen = 0; seen < most; ) {
    const page = await jobs.list({
      limit: Math.min(PAGE, most - seen),
      ...(beforeId === undefined ? {} : { beforeId }),
    });
    yield* page;
    seen += page.length;
    beforeId = page.at(-1)?.id;
    if (page.length < PAGE) return;
  }
}
