import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { CrashCase, createCrashRoom } from './crash-case.js';
import { type CrashedRun, checkRun, type Verdict } from './crash-check.js';
import { type CrashPlan, pathsOf } from './crash-plan.js';
import { until } from './processes.js';

export type CrashRoom = ReturnType<typeof createCrashRoom>;

/**
 * The run completed before it came to the point of its death. How many results one commit holds
 * depends on which of several children is faster, so after a first kill the last points of the rest
 * may lie behind its end.
 */
class PointNotReached extends Error {
  override readonly name = 'PointNotReached';
}

const TRIES = 5;

/** The same case until its points were reached: a point that never is fails. */
async function crashAtPoints(
  room: CrashRoom,
  deaths: readonly Partial<CrashPlan>[],
  of: Pick<CrashEach, 'always' | 'carry'>,
) {
  const carry = of.carry ?? crashAndResume;
  for (let tried = 1; ; tried++) {
    const one = await room.open();
    try {
      return { one, run: await carry(one, deaths, of.always ?? {}) };
    } catch (error) {
      const mayBePassed = deaths.length > 1 || of.carry !== undefined;
      if (!(error instanceof PointNotReached) || !mayBePassed || tried === TRIES) throw error;
      await one.dispose();
    }
  }
}

/**
 * Runs the plans one after the other, each in a process that is to die by its own plan; a last
 * process goes on to the end.
 */
export async function crashAndResume(
  one: CrashCase,
  deaths: readonly Partial<CrashPlan>[],
  always: Partial<CrashPlan> = {},
): Promise<CrashedRun> {
  const kills: { readonly pid: number; readonly left: Awaited<ReturnType<CrashCase['sight']>> }[] = [];
  for (const [index, death] of deaths.entries()) {
    const ended = await one.start({ ...always, ...death, entry: index === 0 ? 'start' : 'resume' }).ended;
    if (ended.signal !== 'SIGKILL') {
      const message = `the process did not die as planned: ${JSON.stringify({ death, code: ended.code, stderr: ended.stderr, report: ended.report })}`;
      throw ended.report?.kind === 'ended' && ended.report.status === 'completed'
        ? new PointNotReached(message)
        : new Error(message);
    }
    await one.bury();
    kills.push({ pid: ended.pid, left: await one.sight() });
  }
  const { mutant: _mutant, ...rest } = always;
  const last = await one.start({ ...rest, entry: deaths.length === 0 ? 'start' : 'resume' }).ended;
  await until('no process of the run is alive', () => one.alive().length === 0);
  return { kills, last, final: await one.sight() };
}

/**
 * Short, because nothing but time ends it here; long enough for a heartbeat of a crowded machine,
 * and to look at what lies there before it does.
 */
const SHORT_LEASE_MS = 8_000;
/** How long a process of a crowded machine may take to its next step. */
const SLOW_MS = 60_000;

/**
 * A first process dies by its plan; a second one, which was up before, finds by the clock alone
 * that nobody has the run, and takes it over.
 */
export async function crashAndTakeOver(
  one: CrashCase,
  death: Partial<CrashPlan>,
  always: Partial<CrashPlan> = {},
): Promise<CrashedRun> {
  const { held, standby, hits } = pathsOf(one.dir);
  const plan = { recover: 'auto', leaseMs: SHORT_LEASE_MS, elsewhere: true, ...always } as const;
  const second = one.start({ ...plan, entry: 'standby' });
  await until(
    'the second worker is up',
    () => existsSync(held) && readFileSync(held, 'utf8').includes('standby'),
    SLOW_MS,
  );
  const first = one.start({ ...plan, ...death, entry: 'start' });
  let isOver = false;
  const ended = first.ended.finally(() => {
    isOver = true;
  });
  const hasClaimed = (): boolean =>
    existsSync(hits) && readFileSync(hits, 'utf8').includes(`${first.pid} job.claim:after`);
  await until('the first worker has claimed the run', () => isOver || hasClaimed(), SLOW_MS);
  if (!isOver) writeFileSync(standby, '');
  const { signal, pid, ...rest } = await ended;
  const left = await one.sight();
  // The tables were read one after the other: nobody may have come in between.
  const attempt = Number((await one.sight()).jobs[0]?.attempt ?? 0);
  writeFileSync(standby, '');
  const last = await second.ended;
  await until('no process of the run is alive', () => one.alive().length === 0);
  const final = await one.sight();
  if (signal !== 'SIGKILL')
    throw new PointNotReached(`the first worker did not die as planned: ${JSON.stringify({ death, ...rest })}`);
  // On a crowded machine the second may have been there first; then what lay there at the kill is
  // not known.
  if (attempt > 1) throw new PointNotReached('the run was taken over before anybody could look');
  // It stood still for longer than its own lease, and took over from itself: a second death, and
  // this check is about one.
  if (Number(final.jobs[0]?.attempt) > 2) throw new PointNotReached('the second worker lost its lease as well');
  return { kills: [{ pid, left }], last, final };
}

/** A run that nobody kills, and every fault point that it hits. */
export async function recordReference(room: CrashRoom, always: Partial<CrashPlan> = {}) {
  const one = await room.open();
  const reference = await crashAndResume(one, [], always);
  const { report, stderr } = reference.last;
  if (report?.kind !== 'ended' || report.status !== 'completed')
    throw new Error(`the run that nobody kills did not complete: ${JSON.stringify(report)} ${stderr}`);
  const points = one.hits(reference.last.pid);
  await one.dispose();
  return { reference, points };
}

export interface Tally {
  readonly total: number;
  /** Kills after which some effect was executed a second time. */
  readonly repeated: number;
  /** Kills at which some effect had begun and was not yet recorded. */
  readonly insideEffect: number;
  readonly violations: readonly string[];
  readonly leftWorktrees: number;
}

const AT_ONCE = 3;
/** Most of the time these wait for the end of a lease. */
const WAITING_AT_ONCE = 5;

export interface CrashEach {
  readonly cases: readonly (readonly Partial<CrashPlan>[])[];
  readonly reference: CrashedRun;
  readonly always?: Partial<CrashPlan>;
  readonly budgetMs?: number;
  /** So many of the cases whatever time they take, the first ones; default 0. */
  readonly least?: number;
  /** How a run is killed and carried on. Default: each process after the one before it. */
  readonly carry?: typeof crashAndResume;
}

/**
 * Every case in its own directory, a few at once, until they are done, or the time is over and the
 * least number has begun.
 */
export async function crashEach(room: CrashRoom, from: CrashEach): Promise<Tally> {
  const left = [...from.cases];
  const untilMs = performance.now() + (from.budgetMs ?? Number.POSITIVE_INFINITY);
  let begun = 0;
  const next = (): CrashEach['cases'][number] | undefined => {
    if (begun >= (from.least ?? 0) && performance.now() >= untilMs) return undefined;
    begun += 1;
    return left.shift();
  };
  const verdicts: (Verdict & { readonly worktrees: number })[] = [];
  const lane = async (): Promise<void> => {
    for (let deaths = next(); deaths !== undefined; deaths = next()) {
      const { one, run } = await crashAtPoints(room, deaths, from);
      const verdict = checkRun(run, from.reference);
      const where = JSON.stringify(deaths.map((death) => death.dieAt ?? death.killIn));
      verdicts.push({
        ...verdict,
        violations: verdict.violations.map((text) => `${where}: ${text}`),
        worktrees: run.final.worktrees.length,
      });
      await one.dispose();
    }
  };
  await Promise.all(Array.from({ length: from.carry === undefined ? AT_ONCE : WAITING_AT_ONCE }, lane));
  return {
    total: verdicts.length,
    repeated: verdicts.filter((verdict) => verdict.repeated.length > 0).length,
    insideEffect: verdicts.filter((verdict) => verdict.inFlight.length > 0).length,
    violations: verdicts.flatMap((verdict) => verdict.violations),
    leftWorktrees: verdicts.reduce((sum, verdict) => sum + verdict.worktrees, 0),
  };
}
