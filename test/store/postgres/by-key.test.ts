import { expect, it, onTestFinished } from 'vitest';
import { BY_KEY } from '../../../src/store/postgres/connections.js';
import { FIND_EVENT, LAST_OF_RUNS } from '../../../src/store/postgres/sql/events.js';
import { BEAT_JOBS, END_JOBS, END_STEPS, START_STEPS } from '../../../src/store/postgres/sql/grouped.js';
import { HOLD_JOBS, LOCK_JOB, LOCK_JOBS, REQUIRE_ROOM, SHARE_JOBS } from '../../../src/store/postgres/sql/jobs.js';
import {
  DECISIONS_OF_JOBS,
  GATES_OF_JOBS,
  ITEMS_OF_JOBS,
  REVIEWED_JOBS,
} from '../../../src/store/postgres/sql/reviews.js';
import { openPostgresWorld } from '../../support/postgres-world.js';
import { newJob, startedEvent } from '../../support/store-samples.js';

const STATEMENTS = {
  LOCK_JOB,
  LOCK_JOBS,
  HOLD_JOBS,
  SHARE_JOBS,
  LAST_OF_RUNS,
  FIND_EVENT,
  START_STEPS: START_STEPS.whole,
  END_STEPS: END_STEPS.whole,
  BEAT_JOBS: BEAT_JOBS.whole,
  END_JOBS: END_JOBS.whole,
  REVIEWED_JOBS,
  GATES_OF_JOBS,
  ITEMS_OF_JOBS,
  DECISIONS_OF_JOBS,
} as const;

const GROWS = /(Seq|Index|Index Only) Scan\b.* on (jobs|events|steps|gates|review_items|decisions)\b/;

/** The nodes of a plan that go through a table, or an index of it, from end to end. */
const walks = (plan: readonly string[]): readonly string[] =>
  plan.filter((line, at) => GROWS.test(line) && !plan[at + 1]?.includes('Index Cond'));

it('the writing connection finds what a commit names by its key, in an empty store and in one whose statistics know of no run at work', async () => {
  const world = await openPostgresWorld();
  onTestFinished(() => world.dispose());
  const planOf = async (sql: string): Promise<readonly string[]> => {
    const names = [...new Set([...sql.matchAll(/@(\w+)/g)].map(([, name]) => name))];
    const text = sql.replace(/@(\w+)/g, (_, name: string) => `$${names.indexOf(name) + 1}`);
    const rows = await world.database.query<{ 'QUERY PLAN': string }>(
      `SET search_path = kit; ${BY_KEY}; EXPLAIN (GENERIC_PLAN) ${text}`,
    );
    return rows.map((row) => row['QUERY PLAN']);
  };
  const walked = async () => {
    const found: Record<string, readonly string[]> = {};
    for (const [name, sql] of Object.entries(STATEMENTS)) found[name] = walks(await planOf(sql));
    return Object.fromEntries(Object.entries(found).filter(([, nodes]) => nodes.length > 0));
  };

  expect(await walked()).toEqual({});

  const { jobs } = world.stores;
  const insert = () => jobs.insert(newJob(world.ids.jobId()), 'queued', [startedEvent(world.ids.uuid())]);
  await Promise.all(Array.from({ length: 300 }, insert));
  await world.database.query('ANALYZE kit.jobs, kit.events');
  expect(await walked()).toEqual({});
  // The bound of the queue is counted once.
  expect((await planOf(REQUIRE_ROOM)).filter((line) => line.includes('Aggregate'))).toHaveLength(1);
});
