import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LOOK } from '../../../src/store/postgres/sql/jobs.js';
import { withClient } from '../../support/components/postgres.js';
import { openGuardedStore } from '../../support/guards/guarded-store.js';
import { openPostgresWorld, type PostgresWorld } from '../../support/postgres-world.js';
import { claimOf, createIds, newJob } from '../../support/store-samples.js';

const PLAIN = '{"plugins":{},"adapters":{}}';
const FOREIGN = '{"plugins":{"acme-runner":"^1.0.0"},"adapters":{}}';
const MANY = 30_000;
/**
 * Pages of a few descents of a tree, with room for a newer planner; the walk that this forbids
 * reads thousands.
 */
const FEW_PAGES = 60;

interface Row {
  readonly jobClass: 'model' | 'harness';
  readonly engine: number;
  readonly needs: string;
}
interface Node {
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Node[];
}

const MINE: Row = { jobClass: 'harness', engine: 1, needs: PLAIN };
const nodesOf = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

describe('a look at a queue full of runs that are for others', () => {
  let world: PostgresWorld;
  beforeEach(async () => {
    world = await openPostgresWorld();
  });
  afterEach(() => world.dispose());

  const fill = (row: Row, count = MANY) =>
    world.database.query(
      `INSERT INTO kit.jobs (id, status, waiting_status, topology, input, labels, source, submitted_by, submitted_assurance, attempt, crashes, job_class, priority, engine, needs, snapshot, recover, waiting_on, auto_resume, executed_ms, attachments, created_at)
       SELECT left(md5(random()::text), 12), 'queued', 'queued', 't', '', '{}', 'cli', 'a', 'asserted', 0, 0, $1, 9, $2, $3, 's', 'auto', '[]', 1, 0, '[]', '2026'
       FROM generate_series(1, CAST($4 AS INT)) ON CONFLICT DO NOTHING`,
      [row.jobClass, row.engine, row.needs, count],
    );

  /**
   * What the server does for the look of a worker of MINE, planned for any worker as a statement is
   * that is sent again and again.
   */
  const look = (met: readonly string[]) =>
    withClient(world.database.url, async (client) => {
      const values: Readonly<Record<string, string>> = {
        met: list(met),
        classes: list([MINE.jobClass]),
        engine: '1',
        limit: '4',
      };
      const names: string[] = [];
      const text = LOOK.replace(
        /@(\w+)/g,
        (_, name: string) => `$${names.includes(name) ? names.indexOf(name) + 1 : names.push(name)}`,
      );
      await client.query('SET search_path = kit; SET plan_cache_mode = force_generic_plan');
      await client.query(`PREPARE look AS ${text}`);
      const call = `EXECUTE look (${names.map((name) => values[name]).join(', ')})`;
      const some: boolean = (await client.query(call)).rows[0].some;
      const plan: Node = (await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${call}`)).rows[0][
        'QUERY PLAN'
      ][0].Plan;
      const nodes = nodesOf(plan);
      const rows = (node: Node) =>
        ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1);
      return {
        some,
        pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
        mostRows: Math.max(...nodes.map(rows)),
        conditions: nodes.flatMap((node) =>
          node['Index Name'] === 'jobs_claimable_needs' ? [node['Index Cond'] ?? ''] : [],
        ),
      };
    });
  const list = (texts: readonly string[]): string => `ARRAY[${texts.map((text) => `'${text}'`).join(', ')}]::TEXT[]`;

  it.each<[string, Row, readonly string[]]>([
    ['another class', { ...MINE, jobClass: 'model' }, [PLAIN]],
    ['another engine number', { ...MINE, engine: 2 }, [PLAIN]],
    ['needs that are not met, beside some that are', { ...MINE, needs: FOREIGN }, [PLAIN]],
    ['needs that are not met, and none that are', { ...MINE, needs: FOREIGN }, []],
  ])('reads a few pages and walks none of them: %s', async (_, row, met) => {
    await fill(row);
    for (const statistics of ['of an empty table', 'of this one']) {
      if (statistics === 'of this one') await world.database.query('ANALYZE kit.jobs');
      const { some, pages, mostRows, conditions } = await look(met);
      expect(some, statistics).toBe(false);
      expect(mostRows, statistics).toBeLessThan(10);
      expect(pages, statistics).toBeLessThan(FEW_PAGES);
      expect(conditions.join('\n'), statistics).toMatch(/hashtextextended\(needs.*engine.*job_class/);
    }
  });

  it('reads a few pages where the statistics are of a time when all of it was for this worker', async () => {
    await fill(MINE);
    await world.database.query('ANALYZE kit.jobs');
    await world.database.query("UPDATE kit.jobs SET job_class = 'model'");
    await world.database.query('VACUUM kit.jobs');

    const { some, pages, mostRows } = await look([PLAIN]);
    expect(some).toBe(false);
    expect(mostRows).toBeLessThan(10);
    expect(pages).toBeLessThan(FEW_PAGES);
  });

  it('finds the one run among them that is for this worker, and claims it', async () => {
    for (const row of [
      { ...MINE, jobClass: 'model' as const },
      { ...MINE, engine: 2 },
      { ...MINE, needs: FOREIGN },
    ])
      await fill(row, 300);
    const request = claimOf({ jobClass: 'harness', engine: 1, offers: { plugins: {}, adapters: {} } });
    expect(await world.stores.jobs.claim(request)).toEqual([]);
    const id = world.ids.jobId();
    await world.stores.jobs.insert(
      newJob(id, { jobClass: 'harness', engine: 1, needs: { plugins: {}, adapters: {} } }),
      'queued',
      [],
    );

    expect((await look([PLAIN])).some).toBe(true);
    expect((await world.stores.jobs.claim(request)).map((job) => job.id)).toEqual([id]);
  });
});

it('an idle worker looks once and writes nothing, and claims at once what it is told of after a run that it got', async () => {
  const { stores, counter, close } = await openGuardedStore('postgres');
  try {
    const { offers, ...claim } = claimOf();
    const next = () => stores.jobs.claim({ ...claim, offersFor: async () => offers });
    const ids = createIds();
    const waits = () => stores.jobs.insert(newJob(ids.jobId()), 'queued', []);
    await waits();
    await next();
    await next();
    counter.take();

    expect(await next()).toEqual([]);
    expect(counter.take()).toEqual({ writes: {}, commits: 0, reads: 1 });
    const claimed = { 'update jobs': 1 };
    await waits();
    counter.take();
    expect(await next()).toHaveLength(1);
    // What begins a transaction: its facts.
    expect(counter.take()).toEqual({ writes: claimed, commits: 1, reads: 1 });
    // Work for somebody else: what this worker asks in vain once it only looks for the next time.
    for (const expected of [
      { writes: claimed, commits: 1, reads: 2 },
      { writes: {}, commits: 0, reads: 1 },
    ]) {
      await stores.jobs.insert(newJob(ids.jobId(), { engine: 99 }), 'queued', []);
      counter.take();
      expect(await next()).toEqual([]);
      expect(counter.take()).toEqual(expected);
    }
    await waits();
    counter.take();
    expect(await next()).toHaveLength(1);
    expect(counter.take()).toEqual({ writes: claimed, commits: 1, reads: 2 });
  } finally {
    await close();
  }
});
