import { expect, it, vi } from 'vitest';
import { machineWithout, needyWorkspace, programsIn, SAID } from '../review/lacking-machine.js';
import { ask, openFleet, until, WAIT } from './fleet.js';

const STORAGE =
  'storage: { runtime: { backend: postgres, url: "${RUNS_URL}" } }\nserver: { jobs: { lease_seconds: 3 } }\n';

it('a worker away from key, credential or program leaves a decided run as it is, and says what it lacks', {
  timeout: 300_000,
}, async () => {
  const fleet = await openFleet();
  const { world, model } = fleet;
  const dir = world.files('needy', needyWorkspace(STORAGE));
  const machine = { modelUrl: model.url, programs: await programsIn(world, 'programs') };
  const env = (lack: Parameters<typeof machineWithout>[0]) => ({
    env: { ...fleet.env, ...machineWithout(lack, machine) },
  });
  const api = await fleet.api(dir);

  for (const lack of ['key', 'credential', 'program'] as const) {
    const whole = await fleet.by(env(null)).worker(dir, '--json');
    const { id } = (await ask(api, '/run/talk', { input: 'hi' })).body;
    await until(api, id, 'deferred');
    whole.child.kill('SIGTERM');
    expect((await whole.ended).code).toBe(0);
    const paid = model.asked().length;

    const lacking = await fleet.by(env(lack)).worker(dir, '--json');
    for (const role of ['qa', 'ops']) {
      const item = `mpa-${String(id)}:boss-0-${role}`;
      const decided = await world.here(['review', 'resolve', item, dir, '--as', `${role}-1`, '--approve'], env(lack));
      expect(decided.code, decided.stderr).toBe(0);
    }
    await vi.waitFor(
      async () =>
        expect((await ask(api, '/queue/stats')).body).toMatchObject({
          blocked: [{ jobs: 1, missing: [SAID[lack]] }],
        }),
      WAIT,
    );
    const resumed = await world.here(['run', dir, 'talk', `--resume=${String(id)}`], env(lack));
    expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringContaining(SAID[lack])]);
    expect((await world.here(['why', String(id), dir], env(lack))).stdout).toContain(SAID[lack]);
    expect((await ask(api, `/jobs/${String(id)}`)).body).toMatchObject({ status: 'queued', attempt: 1 });
    lacking.child.kill('SIGTERM');
    expect((await lacking.ended).code).toBe(0);

    const again = await fleet.by(env(null)).worker(dir, '--json');
    await until(api, id, 'completed');
    expect(model.asked().length).toBe(paid);
    again.child.kill('SIGTERM');
    expect((await again.ended).code).toBe(0);
  }
});
