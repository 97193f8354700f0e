import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApi } from './api.js';
import { disturbAudit } from './audit-outages.js';
import { type Disturbance, disturb } from './chaos.js';
import { checkEvidence, type Finding } from './checks.js';
import { type Evidence, readLines, readRows } from './evidence.js';
import { followLog } from './follower.js';
import { openHistory, readHistory } from './history.js';
import { type Accepted, submitAll } from './load.js';
import { openSoak, type SoakHouse, type SoakSettings } from './open-soak.js';
import { type Acknowledged, decideAll } from './people.js';
import { createRandom } from './random.js';

export interface SoakOptions extends SoakSettings {
  readonly runs: number;
  readonly seed: number;
  /** Nothing is submitted after this time, though fewer runs than asked for were. */
  readonly minutes: number;
  readonly everyMs: number;
  readonly inFlight: number;
  readonly tell: (text: string) => void;
  /** Keeps the directory with logs when something was found. */
  readonly keepsFailure: boolean;
  /**
   * Once it is aborted the soak is given up: it rejects when nothing of it is left. Default: nobody
   * gives it up.
   */
  readonly signal?: AbortSignal;
}

export interface SoakReport {
  readonly findings: readonly Finding[];
  readonly figures: Readonly<Record<string, number | string>>;
  readonly isRight: boolean;
}

const FIRST_ANSWER_MS = 60_000;
/** A drain that makes no progress for this many leases is over: what has not ended is stranded. */
const LEASES_WITHOUT_PROGRESS = 12;
const PROGRESS_MS = 10_000;

/**
 * Runs a soak to its end and judges it. What is submitted, who decides what and what is disturbed
 * follow from the seed; time does not.
 */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const house = await openSoak(options);
  let isRight = false;
  try {
    const report = await soakIn(house, options);
    isRight = report.isRight;
    return report;
  } finally {
    const keep = options.keepsFailure && !isRight && options.signal?.aborted !== true;
    await house.dispose(keep);
    if (keep) options.tell(`logs of all processes, and what was seen: ${house.dir}`);
  }
}

/** What is begun in a soak, and ended with it. */
interface Course {
  /** Ends every caller and every wait. */
  readonly over: AbortController;
  /** Ends the disturbances; what they have taken down is up again when `disturbed` resolves. */
  readonly calm: AbortController;
  disturbed: Promise<unknown>;
}

/** Nothing is started any more once this has rejected. */
async function soakIn(house: SoakHouse, options: SoakOptions): Promise<SoakReport> {
  const { signal = new AbortController().signal } = options;
  const course: Course = { over: new AbortController(), calm: new AbortController(), disturbed: Promise.resolve() };
  const givenUp = Promise.withResolvers<never>();
  const giveUp = (): void => givenUp.reject(signal.reason);
  signal.addEventListener('abort', giveUp);
  try {
    signal.throwIfAborted();
    return await Promise.race([judged(house, options, course), givenUp.promise]);
  } finally {
    signal.removeEventListener('abort', giveUp);
    course.over.abort();
    course.calm.abort();
    await course.disturbed;
  }
}

async function judged(house: SoakHouse, options: SoakOptions, course: Course): Promise<SoakReport> {
  const { tell, seed } = options;
  const { over, calm } = course;
  const startedMs = performance.now();
  const api = createApi(house.apiUrl, house.keys, over.signal);
  const accepted: Accepted[] = [];
  const acknowledged: Acknowledged[] = [];
  const problems: string[] = [];
  const counts = new Map<Disturbance, number>();
  const watcher = await (house.audit ?? house.cluster).client(house.database);
  await openHistory(watcher);
  await watcher.end();
  if (house.audit !== null) {
    const jobs = await house.cluster.client(house.database);
    await openHistory(jobs);
    await jobs.end();
  }
  over.signal.throwIfAborted();
  for (const { member } of house.workers) member.start();
  house.api.start();
  await answering(house.apiUrl, over.signal);
  const follower = followLog(api, over.signal);
  const people = decideAll({ api, seed, signal: over.signal, acknowledged });
  const targets = { ...house, leaseMs: options.leaseSeconds * 1000 };
  const chaos = Promise.all([
    disturb({ targets, random: createRandom(seed), everyMs: options.everyMs, signal: calm.signal, counts, tell }),
    house.audit === null
      ? null
      : disturbAudit({ cluster: house.audit, random: createRandom(seed + 2), signal: calm.signal, tell }),
  ]);
  course.disturbed = chaos;
  const progress = setInterval(
    () =>
      tell(
        `${accepted.length} of ${options.runs} accepted, ${follower.ended.size} ended, ${acknowledged.length} decisions, ${sum(counts)} disturbances`,
      ),
    PROGRESS_MS,
  );
  over.signal.addEventListener('abort', () => clearInterval(progress));
  const untilMs = startedMs + options.minutes * 60_000;
  await submitAll({
    api,
    random: createRandom(seed + 1),
    runs: options.runs,
    untilMs,
    inFlight: options.inFlight,
    ended: () => follower.ended.size,
    accepted,
    problems,
    signal: over.signal,
  });
  // The last runs of the load are disturbed like all others; then there is calm, so that what does
  // not end is stranded.
  await sleep(options.everyMs, undefined, { signal: over.signal });
  calm.abort();
  await chaos;
  tell('calm');
  await drained({
    accepted,
    ended: follower.ended,
    quietMs: options.leaseSeconds * 1000 * LEASES_WITHOUT_PROGRESS,
    signal: over.signal,
  });
  await follower.finish();
  over.abort();
  await people;
  await Promise.all([house.api.stop(20_000), ...house.workers.map(({ member }) => member.stop(20_000))]);
  const evidence = await gather(house, { accepted, acknowledged, followed: follower.seen, problems });
  const members = [house.api, ...house.workers.map(({ member }) => member)];
  const all: Evidence = {
    ...evidence,
    problems: [
      ...problems,
      ...api.problems,
      ...follower.problems,
      ...house.model.problems,
      ...members.flatMap((member) => member.unexpected),
    ],
  };
  const findings = checkEvidence(all);
  const doubtful = findings.some(({ violations }) => violations.length > 0);
  if (doubtful && options.keepsFailure)
    writeFileSync(join(house.dir, 'evidence.json'), JSON.stringify({ ...all, calls: [...all.calls] }));
  return {
    findings,
    isRight: !doubtful,
    figures: {
      ...figuresOf(all),
      ...Object.fromEntries(counts),
      ...repeatsOf(api.repeats),
      'starts of processes': total(members.map(({ starts }) => starts)),
      'starts that were refused': total(members.map(({ refusals }) => refusals)),
      seconds: Math.round((performance.now() - startedMs) / 1000),
    },
  };
}

async function gather(
  house: SoakHouse,
  seen: Pick<Evidence, 'accepted' | 'acknowledged' | 'followed' | 'problems'>,
): Promise<Evidence> {
  const client = await house.cluster.client(house.database);
  const audit = house.audit === null ? null : await house.audit.client(house.database);
  try {
    const rows = await readRows(client, audit ?? client);
    const history = [...(await readHistory(client)), ...(audit === null ? [] : await readHistory(audit))];
    // The run that approved the adapter was a person's, before anybody looked.
    const isFirst = (job: string): boolean => rows.jobs.some(({ id, source }) => id === job && source === 'cli');
    const first = new Set(rows.events.filter(({ job_id }) => isFirst(job_id)).map(({ event_id }) => event_id));
    return {
      ...seen,
      followed: seen.followed.filter((id) => !first.has(id)),
      jobs: rows.jobs.filter(({ id }) => !isFirst(id)),
      events: rows.events.filter(({ event_id }) => !first.has(event_id)),
      decisions: rows.decisions,
      calls: house.model.calls,
      lines: readLines(house.effects).filter(({ job }) => !isFirst(job)),
      history,
    };
  } finally {
    await client.end();
    await audit?.end();
  }
}

async function answering(url: string, signal: AbortSignal): Promise<void> {
  const untilMs = performance.now() + FIRST_ANSWER_MS;
  for (;;) {
    const isUp = await fetch(`${url}/health`).then(
      (answer) => answer.status === 200,
      () => false,
    );
    if (isUp) return;
    if (performance.now() > untilMs) throw new Error('the api does not answer');
    await sleep(100, undefined, { signal });
  }
}

/** Resolves when every accepted run has ended, or when none has for `quietMs`. */
async function drained(of: {
  readonly accepted: readonly Accepted[];
  readonly ended: ReadonlySet<string>;
  readonly quietMs: number;
  readonly signal: AbortSignal;
}): Promise<void> {
  let last = { ended: -1, atMs: performance.now() };
  for (;;) {
    if (of.accepted.every(({ id }) => of.ended.has(id))) return;
    if (of.ended.size !== last.ended) last = { ended: of.ended.size, atMs: performance.now() };
    if (performance.now() - last.atMs > of.quietMs) return;
    await sleep(200, undefined, { signal: of.signal });
  }
}

function figuresOf(evidence: Evidence): Readonly<Record<string, number>> {
  const { accepted, jobs, events, decisions, calls, lines } = evidence;
  const of = (type: string): number => events.filter((event) => event.type === type).length;
  return {
    accepted: accepted.length,
    completed: jobs.filter(({ status }) => status === 'completed').length,
    'rejected by people': jobs.filter(({ reason }) => reason === 'gate_rejected').length,
    'crash loops': jobs.filter(({ reason }) => reason === 'crash_loop').length,
    'claims beyond the first': total(jobs.map(({ attempt }) => attempt - 1)),
    events: events.length,
    'repeated steps': of('step.repeated'),
    decisions: decisions.length,
    'model calls': sum(calls),
    'lines of harnesses': lines.length,
  };
}

const repeatsOf = (repeats: ReadonlyMap<number, number>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...repeats].map(([status, count]) => [
      `asked again after ${status === 0 ? 'a broken connection' : status}`,
      count,
    ]),
  );

const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
const sum = (counts: ReadonlyMap<unknown, number>): number => total([...counts.values()]);
