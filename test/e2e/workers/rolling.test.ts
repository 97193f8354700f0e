import { expect, it, vi } from 'vitest';
import { linesOf } from '../../support/kit-process.js';
import { type Build, nextBuild } from '../../support/next-build.js';
import { gated } from '../review/gated-workspace.js';
import { localProvider, talk } from '../workspaces.js';
import { type LiveKit, lastOf } from '../world.js';
import { type Answer, ask, type Fleet, openFleet, PEOPLE_KEYS, WAIT } from './fleet.js';

const SERVER = `storage: { runtime: { backend: postgres, url: "\${RUNS_URL}" } }
server:
  jobs: { lease_seconds: 3, shutdown_seconds: 3 }
  auth:
    provider: api_key
    config:
      keys:
        - { key_ref: "env:DANA_KEY", client_id: dana, tier: run }
        - { key_ref: "env:QA_KEY", client_id: qa-1, tier: run }
        - { key_ref: "env:OPS_KEY", client_id: ops-1, tier: run }
`;
const as = (who: keyof typeof PEOPLE_KEYS) => ({ authorization: `Bearer ${PEOPLE_KEYS[who]}` });

/**
 * `talk` asks the model of the test, which can be held; the work of `release` waits for qa and ops.
 */
const filesOf = (fleet: Fleet): string => {
  const { 'workspace.yaml': _, ...release } = gated();
  return fleet.world.files(
    'work',
    talk({ provider: 'local', workspace: SERVER, files: { 'providers/local.yaml': localProvider, ...release } }),
  );
};

type Api = Awaited<ReturnType<Fleet['api']>>;

interface Row {
  readonly id: string;
  readonly engine: number;
  readonly status: string;
  readonly attempt: number;
  readonly crashes: number;
  readonly worker_id: string | null;
  /** Another one after each write to the row. */
  readonly version: string;
}

/**
 * Processes of one build on the database of a fleet, and the claims that its workers have told of.
 */
function openSide(fleet: Fleet, dir: string, { program, engine }: Partial<Build>) {
  const start = fleet.by(program === undefined ? {} : { program });
  const workers: LiveKit[] = [];
  return {
    engine: engine ?? 1,
    program,
    api: () => start.api(dir),
    work: async (concurrency: number): Promise<LiveKit> => {
      const worker = await start.worker(dir, '--concurrency', String(concurrency), '--json');
      workers.push(worker);
      return worker;
    },
    claimed: (): ReadonlySet<unknown> =>
      new Set(
        workers.flatMap(({ stdout }) =>
          linesOf(stdout()).flatMap(({ type, job_id }) => (type === 'claimed' ? [job_id] : [])),
        ),
      ),
  };
}

const submit = async (api: Api, topology: 'talk' | 'release'): Promise<string> => {
  const { status, body } = await ask(api, `/run/${topology}`, { input: 'go on' }, as('DANA_KEY'));
  expect([status, body.status]).toEqual([200, 'queued']);
  return String(body.id);
};

const several = async (count: number, one: () => Promise<string>): Promise<readonly string[]> => {
  const made: string[] = [];
  for (let n = 0; n < count; n += 1) made.push(await one());
  return made;
};

async function decide(apis: readonly [Api, Api], run: string): Promise<void> {
  const found = await ask(apis[0], `/review?kind=role_task&gate_id=${run}:writer`, undefined, as('QA_KEY'));
  const items = found.body as unknown as readonly { readonly id: string; readonly role: string }[];
  const sign = (api: Api, who: 'QA_KEY' | 'OPS_KEY', role: string): Promise<Answer> =>
    ask(
      api,
      `/review/${encodeURIComponent(items.find((item) => item.role === role)?.id ?? '')}/resolve`,
      { outcome: 'approve' },
      as(who),
    );
  expect([(await sign(apis[0], 'QA_KEY', 'qa')).status, (await sign(apis[1], 'OPS_KEY', 'ops')).status]).toEqual([
    200, 200,
  ]);
}

it('half of the workers change to the next engine, and no run is lost, failed or claimed by the other half', {
  timeout: 240_000,
}, async () => {
  const fleet = await openFleet();
  const dir = filesOf(fleet);
  const [old, next] = [openSide(fleet, dir, {}), openSide(fleet, dir, nextBuild())];
  const rows = (ids: readonly string[]) =>
    fleet.database.query<Row>(
      'SELECT id, engine, status, attempt, crashes, worker_id, xmin::text AS version FROM kit.jobs WHERE id = ANY($1) ORDER BY id',
      [ids],
    );
  const all = (ids: readonly string[], status: string) =>
    vi.waitUntil(async () => (await rows(ids)).every((row) => row.status === status), WAIT);

  // Before: an api and four workers. Runs are parked, others execute, the rest waits behind them.
  const oldApi = await old.api();
  const workers = await Promise.all([1, 2, 3, 4].map(() => old.work(1)));
  const parked = await several(4, () => submit(oldApi, 'release'));
  await all(parked, 'deferred');
  fleet.model.hold();
  const begun = await several(4, () => submit(oldApi, 'talk'));
  await all(begun, 'running');
  const waiting = await several(4, () => submit(oldApi, 'talk'));

  // The change: two go, and give back what they have not done by then; two of the next engine come,
  // and an api of theirs.
  for (const { child } of workers.slice(2)) child.kill('SIGTERM');
  for (const { ended } of workers.slice(2)) expect((await ended).code).toBe(0);
  const nextApi = await next.api();
  await Promise.all([next.work(4), next.work(4)]);
  const young = [
    ...(await several(4, () => submit(nextApi, 'talk'))),
    ...(await several(3, () => submit(nextApi, 'release'))),
  ];
  await vi.waitUntil(async () => (await rows(young)).filter(({ status }) => status === 'deferred').length === 3, WAIT);
  // Two runs were given back, four wait since before: the next ones have free slots, and leave them
  // alone.
  const left = (await rows([...begun, ...waiting])).filter(({ status }) => status !== 'running');
  expect(left.map(({ status }) => status)).toEqual(Array(6).fill('queued'));
  for (const run of parked) await decide([nextApi, oldApi], run);
  for (const run of young.slice(4)) await decide([oldApi, nextApi], run);
  fleet.model.release();
  const [mine, theirs] = [[...parked, ...begun, ...waiting], young];
  await all([...mine, ...theirs], 'completed');

  for (const [side, ids] of [
    [old, mine],
    [next, theirs],
  ] as const) {
    expect(new Set((await rows(ids)).map(({ engine }) => engine))).toEqual(new Set([side.engine]));
    await vi.waitFor(() => expect(side.claimed()).toEqual(new Set(ids)), WAIT);
  }
  // What was given back counts no crash, and nothing was claimed more often than it was woken or
  // given back.
  const ended = await rows([...mine, ...theirs]);
  expect(new Set(ended.map(({ crashes }) => crashes))).toEqual(new Set([0]));
  expect(ended.filter(({ attempt }) => attempt > 1)).toHaveLength(4 + 3 + 2);
  expect(await fleet.database.query('SELECT count(*)::int AS runs FROM kit.jobs')).toEqual([
    { runs: mine.length + theirs.length },
  ]);
});

it('with no worker of its engine alive a parked run waits, is named with what it waits for, and goes on when one comes back', {
  timeout: 240_000,
}, async () => {
  const fleet = await openFleet();
  const dir = filesOf(fleet);
  const [old, next] = [openSide(fleet, dir, {}), openSide(fleet, dir, nextBuild())];
  const row = async (id: string): Promise<Row> =>
    (
      await fleet.database.query<Row>(
        'SELECT status, engine, attempt, worker_id, xmin::text AS version FROM kit.jobs WHERE id = $1',
        [id],
      )
    )[0] ?? expect.fail();
  const reaches = (id: string, status: string) => vi.waitUntil(async () => (await row(id)).status === status, WAIT);

  const oldApi = await old.api();
  const last = await old.work(1);
  const run = await submit(oldApi, 'release');
  await reaches(run, 'deferred');
  last.child.kill('SIGTERM');
  expect((await last.ended).code).toBe(0);
  const nextApi = await next.api();
  await next.work(2);
  await decide([nextApi, oldApi], run);
  const woken = await row(run);
  expect(woken).toMatchObject({ status: 'queued', engine: old.engine, worker_id: null });

  // Younger runs are done past it.
  for (let n = 0; n < 3; n += 1) await reaches(await submit(nextApi, 'talk'), 'completed');
  const missing = `it goes on with kit engine ${old.engine}, and this is engine ${next.engine}`;
  for (const build of [{ env: fleet.env }, { env: fleet.env, program: next.program ?? '' }]) {
    const stats = lastOf(await fleet.world.kit(['queue-stats', dir, '--json'], build));
    expect(stats.blocked).toEqual([
      { jobs: 1, job_class: 'model', engine: old.engine, missing: [missing], example: run },
    ]);
    const { checkpoints } = lastOf(await fleet.world.kit(['checkpoints', dir, '--json'], build)) as {
      readonly checkpoints: readonly object[];
    };
    expect(checkpoints).toMatchObject([
      { id: run, blocked: build.program === undefined ? null : missing, blocked_in_fleet: missing },
    ]);
  }
  expect(await row(run)).toEqual(woken);

  await old.work(1);
  await reaches(run, 'completed');
  expect(await row(run)).toMatchObject({ engine: old.engine, attempt: woken.attempt + 1 });
  await vi.waitUntil(() => old.claimed().has(run), WAIT);
  expect(next.claimed().has(run)).toBe(false);
  expect(lastOf(await fleet.world.kit(['queue-stats', dir, '--json'], { env: fleet.env })).blocked).toEqual([]);
});
