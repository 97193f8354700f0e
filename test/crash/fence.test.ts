import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type CrashCase, createCrashRoom, type Ended, type Sight } from '../support/crash-case.js';
import { type CrashedRun, checkRun } from '../support/crash-check.js';
import { CRASH_STORES } from '../support/crash-database.js';
import { type CrashPlan, type CrashPoint, pathsOf } from '../support/crash-plan.js';
import { recordReference } from '../support/crash-run.js';
import { isFull } from '../support/crash-share.js';
import { until } from '../support/processes.js';

const LEASE_MS = 2_000;

/** Where the first process stands still, and where the second waits while the first moves again. */
const ROWS: readonly { readonly title: string; readonly pauseAt: CrashPoint; readonly holdIn: readonly string[] }[] = [
  {
    title: 'before its children start',
    pauseAt: { name: 'run.step_ended:after', nth: 1 },
    holdIn: ['lister:0', 'counter:0'],
  },
  {
    title: 'in the midst of its children',
    pauseAt: { name: 'run.step_started:after', nth: 9 },
    holdIn: ['lister:1', 'counter:2'],
  },
  { title: 'inside the session of its harness', pauseAt: { name: 'run.step_noted:after', nth: 2 }, holdIn: ['root:1'] },
];

describe.each(CRASH_STORES)('a process that was taken over while it stood still, on %s', (store) => {
  const room = createCrashRoom(store);
  /** One row of the second store as a share, all at full length. */
  const inFull = it.runIf(store === 'SQLite' || isFull());
  const pids: number[] = [];
  let reference: CrashedRun;
  beforeAll(async () => {
    ({ reference } = await recordReference(room));
  });
  afterEach(() => {
    for (const pid of pids.splice(0)) killIfAlive(pid);
  });
  afterAll(() => room.dispose());

  for (const [index, { title, pauseAt, holdIn }] of ROWS.entries()) {
    (index === 0 ? it : inFull)(
      `writes nothing when it moves again: stopped ${title}`,
      async () => {
        const one = await room.open();
        const { stale, before, after, run } = await takeOver(one, { pauseAt, holdIn });

        expect(stale.report).toMatchObject({ kind: 'lost' });
        expect(stale.report?.kind === 'lost' && stale.report.refused, 'it tried to write').toBeGreaterThan(0);
        expect(journalOf(after)).toEqual(journalOf(before));
        expect(checkRun(run, reference).violations).toEqual([]);
      },
      60_000,
    );
  }

  inFull(
    'is noticed by this test when the fence is taken out',
    // On a busy machine the stale process may see the end of its own lease before it writes at all:
    // that says nothing of the check.
    { timeout: 60_000, retry: 2 },
    async () => {
      // Without a harness: both processes then stand before the same model calls, and nothing else
      // would refuse the stale one.
      const models = await recordReference(room, { scenario: 'models' });
      const one = await room.open();
      const [row] = ROWS;
      const { before, after, run } = await takeOver(one, { ...row, scenario: 'models', mutant: 'no_fence' });

      const violations = checkRun(run, models.reference).violations;
      console.log(
        `${store}: mutant no_fence: ${journalOf(after).filter((line) => !journalOf(before).includes(line)).length} rows written by the stale process, ${violations.length} violations`,
      );
      expect(journalOf(after)).not.toEqual(journalOf(before));
      expect(violations).not.toEqual([]);
    },
  );

  /**
   * The first process stops itself, its lease ends, another machine goes on and waits; then the
   * first moves again.
   */
  async function takeOver(one: CrashCase, first: Pick<CrashPlan, 'holdIn'> & Partial<CrashPlan>) {
    const { holdIn = [], ...firstPlan } = first;
    const a = one.start({ ...firstPlan, leaseMs: LEASE_MS });
    pids.push(a.pid);
    await until('the first process stands still', () => stateOf(a.pid) === 'T');
    const left = await one.sight();
    const leaseEndsAtMs = Date.parse(String(left.jobs[0]?.lease_until));
    await until('the lease of the first process is over', () => Date.now() > leaseEndsAtMs);
    expect(one.alive(), 'children of a lease that is over').toEqual([]);

    const b = one.start({ scenario: first.scenario ?? 'reference', entry: 'resume', elsewhere: true, holdIn });
    pids.push(b.pid);
    const { held, go } = pathsOf(one.dir);
    await until('the second process waits in the midst of the run', () => heldOf(held) >= holdIn.length);
    await until('the second process writes no more', quiet(one, holdIn.length));
    const before = await one.sight();

    process.kill(a.pid, 'SIGCONT');
    const stale = await a.ended;
    const after = await one.sight();
    writeFileSync(go, '');
    const last = await b.ended;
    const run: CrashedRun = { kills: [{ pid: a.pid, left }], last, final: await one.sight() };
    return { stale, before, after, run } satisfies { stale: Ended; before: Sight; after: Sight; run: CrashedRun };
  }
});

/** Rows of journal and log; the job row changes with each heartbeat. */
const journalOf = (sight: Sight): readonly string[] => [...(sight.text?.steps ?? []), ...(sight.text?.events ?? [])];

/** Open steps below which nothing is open: what the process is at. */
function leavesOf(sight: Sight): readonly string[] {
  const open = sight.steps.flatMap(({ key, outcome }) => (outcome === null ? [String(key)] : []));
  return open.filter((key) => !open.some((other) => other.startsWith(`${key}/`)));
}

/**
 * True when only what is held is open, and the journal has not changed for a while of looking: a
 * session that goes on writes when its processes come to it.
 */
function quiet(one: CrashCase, held: number): () => Promise<boolean> {
  let seen = '';
  let sinceMs = performance.now();
  return async () => {
    const sight = await one.sight();
    const now = journalOf(sight).join('\n');
    if (now !== seen || leavesOf(sight).length !== held) sinceMs = performance.now();
    seen = now;
    return performance.now() - sinceMs > 500;
  };
}

const heldOf = (file: string): number => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0);

function stateOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.charAt(stat.lastIndexOf(')') + 2);
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended, as it should.
  }
}
