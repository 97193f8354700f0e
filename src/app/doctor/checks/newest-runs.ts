import type { Job } from '../../../domain/job.js';
import type { Stores } from '../../../domain/ports/stores.js';
import type { Clock } from '../../../domain/ports/system.js';
import type { DoctorCheck } from '../../../view/doctor-report.js';
import { countText } from '../../../view/lines/words.js';
import { fail, ok, warn } from './check.js';

/** Runs that are looked at without `--full`. */
const NEWEST = 100;
/** Below the time of a probe, so that what was found by then is told. */
const BUDGET_MS = 4_000;
const PAGE = 100;
/** Nobody reads more names in one line. */
const NAMED = 3;
const FULL = 'kit doctor --full';

/** How runs are looked at: the newest ones, or all, however long it takes. */
export interface LookAtRuns {
  readonly full: boolean;
  readonly clock: Pick<Clock, 'now'>;
}

/** One question about runs, and the words for its answers. */
interface RunQuestion {
  readonly id: string;
  /** What is looked at, in the plural: `the logs`. */
  readonly what: string;
  /** What is the matter with a run; null = nothing. */
  readonly wrongWith: (job: Job) => Promise<string | null>;
  readonly fix: string;
}

/** Asks about the newest runs, or about all of them. */
export async function checkRuns(
  stores: Pick<Stores, 'jobs' | 'retention'>,
  { id, what, wrongWith, fix }: RunQuestion,
  { full, clock }: LookAtRuns,
): Promise<DoctorCheck> {
  const startedMs = clock.now();
  const isLate = (): boolean => !full && clock.now() - startedMs > BUDGET_MS;
  const broken: string[] = [];
  let looked = 0;
  const seen = (): string => `${what} of ${full ? 'all' : 'the newest'} ${countText(looked, 'run')}`;
  for await (const job of newest(stores, full ? Number.POSITIVE_INFINITY : NEWEST)) {
    if (isLate()) {
      if (broken.length > 0) break;
      return warn(id, `${seen()} are intact; there was no time for more`, FULL);
    }
    const wrong = await wrongWith(job);
    // What is left of one that is removed is no damage.
    if (wrong !== null && (await stores.retention.pruned(job.id)) !== null) continue;
    looked += 1;
    if (wrong !== null) broken.push(`run ${job.id}: ${wrong}`);
  }
  if (broken.length === 0) return ok(id, looked === 0 ? 'there is no run' : `${seen()} are intact`);
  const others = broken.length > NAMED ? `; and ${broken.length - NAMED} more` : '';
  return fail(id, `${broken.slice(0, NAMED).join('; ')}${others}`, fix);
}

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
