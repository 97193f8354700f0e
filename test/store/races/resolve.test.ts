import { expect, it, onTestFinished } from 'vitest';
import { openPostgresWorld } from '../../support/postgres-world.js';
import { gateOf, openingOf, openWrite, parkWrite } from '../../support/review-samples.js';
import { type StoreProcess, startStoreProcess } from '../../support/store-process.js';
import { claimOf, fenceOf, newJob } from '../../support/store-samples.js';
import { openSqliteWorld, type StoreWorld } from '../../support/store-world.js';

interface Raced {
  readonly results: readonly ('recorded' | 'decided' | 'refused')[];
  readonly claimed: number;
  /** How often it was told to try again. */
  readonly busy: number;
}

/** The bar is 50; each start costs a third of a second of one core. */
const PROCESSES = Number(process.env.KIT_TEST_RACE_PROCESSES ?? '8');
const AT_ONCE = 4;
const ROLES = ['qa', 'ops', 'lead'];

const worlds: readonly (readonly [string, () => Promise<{ readonly world: StoreWorld; readonly place: string }>])[] = [
  [
    'SQLite',
    async () => {
      const world = await openSqliteWorld();
      return { world, place: world.stateDir };
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const world = await openPostgresWorld();
      return { world, place: world.database.url };
    },
  ],
];

it.each(worlds)(
  'many processes resolve one gate on %s: each task is decided once, and the run wakes once',
  async (name, open) => {
    const { world, place } = await open();
    onTestFinished(() => world.dispose());
    const job = await world.stores.jobs.insert(newJob(world.ids.jobId()), 'queued', [], claimOf());
    const gate = gateOf(job.id);
    const opening = openingOf(gate, ROLES);
    await world.stores.runs.commit(fenceOf(job), [openWrite(opening), parkWrite([gate.gateId], world.ids.uuid())]);

    const itemIds = opening.items.map((item) => item.id);
    const processes: StoreProcess[] = [];
    onTestFinished(() => {
      for (const { child } of processes) child.kill('SIGKILL');
    });
    // A few at a time come up; all of them are there when the race begins.
    while (processes.length < PROCESSES) {
      const before = processes.length;
      const next = Array.from({ length: Math.min(AT_ONCE, PROCESSES - before) }, async (_, n) => {
        const args = [place, job.id, String(before + n + 1), ...itemIds];
        const one = await startStoreProcess('review-race-process.ts', ...args);
        processes.push(one);
        await one.next();
      });
      await Promise.all(next);
    }
    const startedMs = performance.now();
    for (const { child } of processes) child.stdin?.end('go\n');
    const ended = await Promise.all(processes.map((one) => one.rest<Raced>()));
    const tookMs = performance.now() - startedMs;

    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(processes.map(() => [0, '']));
    const raced = ended.flatMap(({ lines }) => lines);
    const counts = Object.groupBy(
      raced.flatMap(({ results }) => results),
      (result) => result,
    );
    expect(counts.decided).toHaveLength(1);
    expect(counts.recorded).toHaveLength(ROLES.length - 1);
    expect(counts.refused).toHaveLength((PROCESSES - 1) * ROLES.length);
    expect(raced.filter(({ claimed }) => claimed > 0)).toHaveLength(1);
    const state = await world.stores.reviews.state(job.id);
    expect(state?.gates).toMatchObject([{ status: 'approved' }]);
    expect(state?.decisions.map((decision) => decision.itemId).sort()).toEqual(itemIds.toSorted());
    const events = await world.stores.events.readRun(job.id, 0, 100);
    expect(events.map(({ type, seq }) => [seq, type])).toEqual([
      [1, 'run.parked'],
      [2, 'approval.gate_resolved'],
      [3, 'run.resumed'],
    ]);
    expect(events.slice(1).map(({ prevHash }) => prevHash)).toEqual(events.slice(0, -1).map(({ hash }) => hash));
    const busy = raced.reduce((sum, one) => sum + one.busy, 0);
    console.log(
      `${PROCESSES} processes at one gate of ${ROLES.length} tasks on ${name}: all told within ${Math.round(tookMs)} ms, busy ${busy}`,
    );
  },
  300_000,
);
