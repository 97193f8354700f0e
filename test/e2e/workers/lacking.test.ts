import { expect, it, onTestFinished, vi } from 'vitest';
import { createDatabase } from '../../support/components/postgres.js';
import { LACKS, type Lack, makeNeedy, parkedRun, SAID } from '../review/lacking-machine.js';
import { ask, type Fleet, openFleet, PEOPLE_KEYS, until, WAIT } from './fleet.js';

const AUTH = `server:
  jobs: { lease_seconds: 3 }
  auth:
    provider: api_key
    config:
      keys:
        - { key_ref: "env:DANA_KEY", client_id: dana, tier: run }
        - { key_ref: "env:QA_KEY", client_id: qa-1, tier: run }
        - { key_ref: "env:OPS_KEY", client_id: ops-1, tier: run }
`;
const POSTGRES = 'storage: { runtime: { backend: postgres, url: "${RUNS_URL}" } }\n';
const bearer = (by: keyof typeof PEOPLE_KEYS) => ({ authorization: `Bearer ${PEOPLE_KEYS[by]}` });

/** A parked run on a store of its own. */
async function sceneOf({ world, model }: Fleet, lack: Lack, store: 'sqlite' | 'postgres') {
  const database = store === 'postgres' ? await createDatabase() : null;
  const needy = await makeNeedy(world, {
    name: lack,
    modelUrl: model.url,
    storage: `${database === null ? '' : POSTGRES}${AUTH}`,
    env: { ...PEOPLE_KEYS, ...(database === null ? {} : { RUNS_URL: database.url }) },
  });
  onTestFinished(async () => database?.drop());
  return { lack, needy, id: await parkedRun(world, needy) };
}

it.each([
  { away: 'a server', store: 'sqlite' },
  { away: 'a server and a worker', store: 'postgres' },
] as const)(
  '$away on $store without key, credential, program, plugin or adapter leave a decided run as it is',
  {
    timeout: 300_000,
  },
  async ({ store }) => {
    const fleet = await openFleet();
    const { world, model } = fleet;
    const scenes = await Promise.all(LACKS.map((lack) => sceneOf(fleet, lack, store)));
    const paid = model.asked().length;
    expect(paid).toBeGreaterThan(LACKS.length);

    await Promise.all(
      scenes.map(async ({ lack, needy, id }) => {
        const [lacking, whole] = [{ env: needy.without(lack) }, { env: needy.without(null) }];
        const dir = needy.atWithout(lack);
        const server = await fleet.by(lacking).server(dir);
        if (store === 'postgres') await fleet.by(lacking).worker(dir, '--json');

        const byShell = ['review', 'resolve', `mpa-${id}:boss-0-qa`, dir, '--as', 'qa-1', '--approve'];
        const qa = await world.here(byShell, lacking);
        expect(qa.code, qa.stderr).toBe(0);
        const path = `/review/${encodeURIComponent(`mpa-${id}:boss-0-ops`)}/resolve`;
        const ops = await ask(server, path, { outcome: 'approve' }, bearer('OPS_KEY'));
        expect([ops.status, ops.body]).toMatchObject([200, { status: 'approved' }]);

        // Each looks once a second: what is told here, it has left.
        const blocked = [{ jobs: 1, missing: [expect.stringContaining(SAID[lack])] }];
        await vi.waitFor(async () => {
          const stats = await ask(server, '/queue/stats', undefined, bearer('DANA_KEY'));
          expect([lack, stats.body]).toMatchObject([lack, { blocked }]);
        }, WAIT);
        const resumed = await ask(server, `/jobs/${id}/resume`, {}, bearer('DANA_KEY'));
        const byHand = await world.here(['run', dir, 'talk', `--resume=${id}`], lacking);
        expect([lack, resumed.status, byHand.code]).toEqual([lack, 409, 2]);
        expect((await world.here(['why', id, dir], lacking)).stdout).toContain(SAID[lack]);
        const job = await ask(server, `/jobs/${id}`, undefined, bearer('DANA_KEY'));
        expect([lack, job.body]).toMatchObject([lack, { status: 'pending', attempt: 1 }]);

        if (store === 'postgres') await fleet.by(whole).worker(needy.at, '--json');
        else expect((await world.here(['run', needy.at, 'talk', `--resume=${id}`], whole)).code).toBe(0);
        expect(await until(server, id, 'completed', bearer('DANA_KEY'))).toMatchObject({ output: 'all done' });
      }),
    );

    expect(model.asked().length).toBe(paid);
  },
);
