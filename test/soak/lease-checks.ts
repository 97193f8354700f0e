import { type EffectLine, holderPid } from './evidence.js';
import type { Change } from './history.js';

/** One claim of one run, as the rows told it one after the other. */
export interface Claim {
  readonly job: string;
  readonly attempt: number;
  readonly workerId: string;
  readonly pid: number | null;
  readonly claimedAtMs: number;
  /** The last one that its heartbeats wrote. */
  readonly leaseUntilMs: number;
  /** `taken over`: somebody else took it from this worker, or ended it, with a crash counted. */
  readonly howEnded: 'held' | 'given up' | 'taken over' | 'ended';
}

/** Claims by run, in order, from every committed change of the rows of jobs. */
export function claimsOf(history: readonly Change[]): ReadonlyMap<string, readonly Claim[]> {
  const claims = new Map<string, Claim[]>();
  const crashes = new Map<string, number>();
  for (const { table, kind, columns } of history) {
    if (table !== 'jobs' || kind === 'DELETE') continue;
    const job = columns.id ?? '';
    const list = claims.get(job) ?? [];
    claims.set(job, list);
    const last = list.at(-1);
    const crashed = Number(columns.crashes);
    const isCrash = crashed > (crashes.get(job) ?? 0);
    crashes.set(job, crashed);
    if (columns.status === 'running' && columns.worker_id != null && columns.lease_until != null) {
      const leaseUntilMs = Date.parse(columns.lease_until);
      const attempt = Number(columns.attempt);
      if (last?.howEnded === 'held' && last.attempt === attempt && last.workerId === columns.worker_id)
        list[list.length - 1] = { ...last, leaseUntilMs };
      else {
        const claimedAtMs = Date.parse(columns.claimed_at ?? '');
        list.push({
          job,
          attempt,
          workerId: columns.worker_id,
          pid: holderPid(columns.holder ?? null),
          claimedAtMs,
          leaseUntilMs,
          howEnded: 'held',
        });
      }
    } else if (last?.howEnded === 'held') {
      const howEnded = isCrash
        ? 'taken over'
        : columns.status === 'completed' || columns.status === 'failed'
          ? 'ended'
          : 'given up';
      list[list.length - 1] = { ...last, howEnded };
    }
  }
  return claims;
}

/**
 * Numbers rise by one, nobody takes what is held, and a lease is counted as overrun only when it
 * was.
 */
export function checkClaims(claims: ReturnType<typeof claimsOf>): readonly string[] {
  return [...claims.values()].flatMap((list) =>
    list.flatMap((claim, index) => {
      const before = list[index - 1];
      return [
        ...(claim.attempt === (before?.attempt ?? 0) + 1
          ? []
          : [`run ${claim.job}: claim ${claim.attempt} follows claim ${before?.attempt ?? 0}`]),
        ...(before?.howEnded === 'held'
          ? [`run ${claim.job}: claim ${claim.attempt} was made while ${before.workerId} held it`]
          : []),
        ...(before?.howEnded === 'taken over' && claim.claimedAtMs < before.leaseUntilMs
          ? [
              `run ${claim.job}: taken over ${before.leaseUntilMs - claim.claimedAtMs} ms before the lease of claim ${before.attempt} was over`,
            ]
          : []),
      ];
    }),
  );
}

/**
 * The session of a dead worker belongs to a claim that started no other one for this step. A worker
 * that lost its run, claimed it again and was killed then started another one under another claim.
 */
function mayBeOf(line: EffectLine, claim: Claim, next: Claim | undefined, lines: readonly EffectLine[]): boolean {
  const { job, step, session } = line;
  return !lines.some(
    (other) =>
      other.job === job &&
      other.step === step &&
      other.session !== session &&
      other.worker === claim.pid &&
      other.atMs >= claim.claimedAtMs &&
      (next === undefined || other.atMs < next.claimedAtMs),
  );
}

/**
 * Who is named as the worker by a session whose worker was killed before it could read who that is.
 */
const NOBODY = 1;

/** The server's clock is the machine's; a line tells the time before it was written. */
export function checkLines(lines: readonly EffectLine[], claims: ReturnType<typeof claimsOf>): readonly string[] {
  return lines.flatMap((line) => {
    const { job, step, session, worker, atMs } = line;
    const list = claims.get(job) ?? [];
    const index = list.findLastIndex(
      (claim, at) =>
        claim.claimedAtMs <= atMs &&
        (claim.pid === worker || (worker === NOBODY && mayBeOf(line, claim, list[at + 1], lines))),
    );
    const own = list[index];
    const next = list[index + 1];
    const where = `run ${job}, step ${step}, session ${session}`;
    if (own === undefined) return [`${where}: a line by process ${worker}, which had not claimed the run`];
    return [
      ...(atMs > own.leaseUntilMs
        ? [`${where}: a line ${atMs - own.leaseUntilMs} ms after the lease of attempt ${own.attempt}`]
        : []),
      ...(next !== undefined && atMs > next.claimedAtMs
        ? [`${where}: a line ${atMs - next.claimedAtMs} ms after attempt ${next.attempt} began`]
        : []),
    ];
  });
}
