import type { Job, JobClass } from '../../domain/job.js';
import type { ClaimRequest } from '../../domain/ports/stores.js';
import { decodeJob, type JobRow, leaseOf } from '../job-row.js';
import { createNeedsCheck } from '../meets-needs.js';
import type { PostgresDeps } from './deps.js';
import { CLAIM_JOB, CLAIM_JOBS, CLAIMED_JOBS, LOOK, NEEDS_OF_WAITING, WAITING_NEEDS } from './sql/jobs.js';
import type { SqlParams } from './sql-runner.js';
import type { Transaction } from './transaction.js';

/** What waited when it was last looked at, for claimers that offer this. */
interface Seen {
  /** JSON text of the offers. */
  readonly offered: string;
  readonly judged: readonly string[];
  readonly met: readonly string[];
}

/**
 * Takes jobs off the queue. Looks by a read whether any are there, so that an idle worker writes
 * nothing; where the last claim got all it asked for more are there, and the next one goes without
 * the look.
 */
export class ClaimQueue {
  readonly #deps: PostgresDeps;
  readonly #meets = createNeedsCheck();
  #seen: Seen | null = null;
  #isBusy = false;

  constructor(deps: PostgresDeps) {
    this.#deps = deps;
  }

  async claim(request: ClaimRequest): Promise<readonly Job[]> {
    if (request.jobId !== undefined) return this.#claimOne(request, request.jobId);
    const offered = JSON.stringify(request.offers);
    const seen = this.#seen?.offered === offered ? this.#seen : nothingSeen(offered);
    if (this.#isBusy) {
      const claimed = await this.#take(request, seen.met, seen.judged);
      if (claimed.length > 0) return claimed;
    }
    const met = await this.#look(request, seen);
    return met === null ? [] : this.#take(request, met, null);
  }

  /** A run that its claimer knows by its id: nothing else in the queue matters. */
  async #claimOne(request: ClaimRequest, jobId: string): Promise<readonly Job[]> {
    const needs = (await this.#deps.read((sql) => sql.get<{ needs: string }>(NEEDS_OF_WAITING, { jobId })))?.needs;
    if (needs === undefined || this.#meets(needs, JSON.stringify(request.offers)) !== 1) return [];
    return this.#write(CLAIM_JOB, request, { ...whichParams(request, [needs]), jobId });
  }

  /** `judged`: claims nothing while something waits whose needs are not among them. */
  async #take(
    request: ClaimRequest,
    met: readonly string[],
    judged: readonly string[] | null,
  ): Promise<readonly Job[]> {
    const claimed = await this.#write(CLAIM_JOBS, request, { ...whichParams(request, met), judged });
    this.#isBusy = claimed.length === request.limit;
    return claimed;
  }

  async #write(statement: string, request: ClaimRequest, which: SqlParams): Promise<readonly Job[]> {
    const work = async (tx: Transaction) => {
      const taken = leaseOf(request, (plusMs = 0) => tx.nowPlus(plusMs));
      const { workerId, leaseUntil } = taken;
      const again = { sql: CLAIMED_JOBS, params: { workerId, leaseUntil, xid: tx.xid } };
      return tx.last<JobRow>({ op: 'setJobs', sql: statement, params: { ...which, ...taken }, again });
    };
    const rows = await this.#deps.queue.run({ writes: ['job.claim'], jobs: [], place: 'last', work });
    // RETURNING has no order of its own.
    return rows()
      .toSorted((a, b) => b.priority - a.priority || compare(a.created_at, b.created_at) || a.ord - b.ord)
      .map(decodeJob);
  }

  /** Needs of jobs that the claimer may take, once some are there; null = none are. */
  #look(request: ClaimRequest, known: Seen): Promise<readonly string[] | null> {
    return this.#deps.read(async (sql) => {
      const first = await sql.get<Look>(LOOK, { ...whichParams(request, known.met), judged: known.judged });
      if (first?.unjudged !== true) return first?.some === true ? known.met : null;
      const judged = (await sql.all<{ needs: string }>(WAITING_NEEDS)).map(({ needs }) => needs);
      const met = judged.filter((needs) => this.#meets(needs, known.offered) === 1);
      this.#seen = { offered: known.offered, judged, met };
      return (await sql.get<Look>(LOOK, { ...whichParams(request, met), judged }))?.some === true ? met : null;
    });
  }
}

interface Look {
  readonly some: boolean;
  readonly unjudged: boolean;
}

const nothingSeen = (offered: string): Seen => ({ offered, judged: [], met: [] });

/** Each class by its name: the index is asked for one, and not for any. */
const CLASSES = Object.keys({ model: true, harness: true } satisfies Record<JobClass, true>);

const whichParams = ({ jobClass, engine, limit }: ClaimRequest, met: readonly string[]): SqlParams => ({
  classes: jobClass === 'any' ? CLASSES : [jobClass],
  engine,
  limit,
  met,
});

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
