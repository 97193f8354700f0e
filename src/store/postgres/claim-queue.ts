import type { Job, JobClass } from '../../domain/job.js';
import type { ClaimRequest, QueueClaim } from '../../domain/ports/stores.js';
import { decodeClaimed, encodeHolder } from '../job-row.js';
import { createNeedsCheck } from '../meets-needs.js';
import { decodeNeeds } from '../waiting-kind.js';
import type { ChangeWatch } from './change-watch.js';
import type { PostgresDeps } from './deps.js';
import type { ClaimedRow } from './followed-logs.js';
import { CLAIM_JOB, CLAIM_JOBS, CLAIMED_JOBS, LOOK, NEEDS_OF_WAITING } from './sql/jobs.js';
import type { SqlParams } from './sql-runner.js';
import type { Transaction } from './transaction.js';

/** A claim before it is known what is there. */
type Asking = Omit<QueueClaim, 'offersFor'>;

/**
 * Takes jobs off the queue. Looks by a read whether any are there, so that an idle worker writes
 * nothing. A claim goes without the look where the last one got all it asked for, so that more are
 * there, and where somebody has said since that there is work and this process got some last time:
 * of many idle ones those that come too late look again.
 */
export class ClaimQueue {
  readonly #deps: PostgresDeps;
  readonly #watch: Pick<ChangeWatch, 'version'>;
  readonly #meets = createNeedsCheck();
  /** Needs of what waited when it was last looked at. */
  #judged: readonly string[] = [];
  /** Needs that the last claimer could take which found any. */
  #met: readonly string[] = [];
  /** Of the last claim. */
  #got: 'all' | 'some' | 'none' = 'none';
  #seenVersion = 0;

  /** `watch`: of commits that may make jobs claimable. */
  constructor(deps: PostgresDeps, watch: Pick<ChangeWatch, 'version'>) {
    this.#deps = deps;
    this.#watch = watch;
  }

  async claim(request: ClaimRequest | QueueClaim): Promise<readonly Job[]> {
    if ('offersFor' in request) return this.#claimSome(request);
    const { jobId, offers } = request;
    return jobId === undefined
      ? this.#claimSome({ ...request, offersFor: async () => offers })
      : this.#claimOne(request, jobId);
  }

  async #claimSome(request: QueueClaim): Promise<readonly Job[]> {
    if (this.#isLikely()) {
      const judged = [...new Set([...this.#met, ...this.#judged])];
      const claimed = await this.#take(request, await this.#metOf(request, judged), judged);
      if (claimed.length > 0) return claimed;
    }
    const met = await this.#look(request);
    return met === null ? [] : this.#take(request, met, null);
  }

  #isLikely(): boolean {
    const { version } = this.#watch;
    const isNews = version !== this.#seenVersion;
    this.#seenVersion = version;
    return this.#got === 'all' || (this.#got === 'some' && isNews);
  }

  /** A run that its claimer knows by its id: nothing else in the queue matters. */
  async #claimOne(request: ClaimRequest, jobId: string): Promise<readonly Job[]> {
    const needs = (await this.#deps.read((sql) => sql.get<{ needs: string }>(NEEDS_OF_WAITING, { jobId })))?.needs;
    if (needs === undefined || this.#meets(needs, JSON.stringify(request.offers)) !== 1) return [];
    return this.#write(CLAIM_JOB, request, { ...whichParams(request, [needs]), jobId });
  }

  /** `judged`: claims nothing while something waits whose needs are not among them. */
  async #take(request: Asking, met: readonly string[], judged: readonly string[] | null): Promise<readonly Job[]> {
    const claimed = await this.#write(CLAIM_JOBS, request, { ...whichParams(request, met), judged });
    this.#got = claimed.length === request.limit ? 'all' : claimed.length > 0 ? 'some' : 'none';
    return claimed;
  }

  async #write(statement: string, request: Asking, which: SqlParams): Promise<readonly Job[]> {
    const { workerId, host, leaseMs } = request;
    const holder = encodeHolder(host, this.#deps.ids.uuid());
    const work = (tx: Transaction) => {
      const again = { sql: CLAIMED_JOBS, params: { workerId, holder } };
      const params = { ...which, workerId, holder, leaseMs: Math.round(leaseMs) };
      const rows = tx.last<ClaimedRow>({ op: 'setJobs', sql: statement, params, again, isMarked: true });
      return { rows, logs: tx.parts.logs };
    };
    const { rows, logs } = await this.#deps.queue.run({
      writes: ['job.claim'],
      jobs: [],
      place: 'last',
      presumes: true,
      leavesMark: true,
      work,
    });
    const claimed = rows();
    for (const row of claimed) logs.keepClaimed(row);
    return decodeClaimed(claimed);
  }

  /**
   * Needs of jobs that the claimer may take, once some are there; null = none are. It is looked for
   * what could be taken last, and once more only where that has changed.
   */
  async #look(request: QueueClaim): Promise<readonly string[] | null> {
    const asked = this.#met;
    const first = await this.#lookFor(request, asked);
    const before = asked.filter((needs) => first.needs.includes(needs));
    const met = await this.#metOf(request, first.needs);
    this.#judged = first.needs;
    if (met.length > 0) this.#met = met;
    const isSame = met.length === before.length && met.every((needs) => before.includes(needs));
    return (isSame ? first : await this.#lookFor(request, met)).some ? met : null;
  }

  #lookFor(request: Asking, met: readonly string[]): Promise<Look> {
    return this.#deps.read(
      async (sql) => (await sql.get<Look>(LOOK, whichParams(request, met))) ?? { some: false, needs: [] },
    );
  }

  /** Those of them that are met here, by what is there now. */
  async #metOf({ offersFor }: QueueClaim, waiting: readonly string[]): Promise<readonly string[]> {
    const offered = JSON.stringify(await offersFor(decodeNeeds(waiting.map((needs) => ({ needs })))));
    return waiting.filter((needs) => this.#meets(needs, offered) === 1);
  }
}

interface Look {
  readonly some: boolean;
  readonly needs: readonly string[];
}

/** Each class by its name: the index is asked for one, and not for any. */
const CLASSES = Object.keys({ model: true, harness: true } satisfies Record<JobClass, true>);

const whichParams = ({ jobClass, engine, limit }: Asking, met: readonly string[]): SqlParams => ({
  classes: jobClass === 'any' ? CLASSES : [jobClass],
  engine,
  limit,
  met,
});
