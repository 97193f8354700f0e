import { expect, it, vi } from 'vitest';
import { createDatabase } from '../../support/components/postgres.js';
import { lastOf } from '../world.js';
import { ask, openFleet, WAIT } from './fleet.js';

const ROWS = 'SELECT kind, hostname, pid, concurrency, active, job_class FROM kit.fleet_members ORDER BY kind';

it('a server and a worker are in the fleet from start to drain, and one that is killed is shown as gone', {
  timeout: 180_000,
}, async () => {
  const fleet = await openFleet();
  const [here, there] = [fleet.workspace('api'), fleet.workspace('worker')];
  const rows = () => fleet.database.query<{ kind: string; pid: number }>(ROWS);
  const api = await fleet.api(here);
  const worker = await fleet.worker(there, '--class', 'model', '--concurrency', '3');
  await vi.waitUntil(async () => (await rows()).length === 2, WAIT);

  expect(await rows()).toMatchObject([
    { kind: 'api', concurrency: 0 },
    { kind: 'worker', pid: worker.child.pid, concurrency: 3, active: 0, job_class: 'model' },
  ]);
  const metrics = await (await fetch(`${api.url}/metrics`)).text();
  expect(metrics).toContain('kit_fleet_members{kind="worker",job_class="model"} 1');
  expect(metrics).toContain('kit_fleet_slots{kind="worker",job_class="model"} 3');
  expect(metrics).toMatch(/^kit_metrics_source_failed\{source="fleet"\} 0$/m);

  worker.child.kill('SIGTERM');
  expect((await worker.ended).code).toBe(0);
  expect(await rows()).toMatchObject([{ kind: 'api' }]);

  const doomed = await fleet.worker(there);
  await vi.waitUntil(async () => (await rows()).length === 2, WAIT);
  doomed.child.kill('SIGKILL');
  await doomed.ended;
  // Nobody waits for the three intervals of a silence here.
  await fleet.database.query("UPDATE kit.fleet_members SET beat_at = '2026-01-01T00:00:00.000Z' WHERE kind = 'worker'");
  const page = await fleet.world.here(['top', here, '--once'], { env: fleet.env });
  expect(page).toMatchObject({ code: 0, stderr: '' });
  expect(page.stdout).toMatch(/^worker .* gone, /m);
});

it('what no live worker can claim is told with what is missing, until one comes that can', {
  timeout: 180_000,
}, async () => {
  const fleet = await openFleet();
  const [here, there] = [fleet.workspace('api'), fleet.workspace('worker')];
  const api = await fleet.api(here);
  const [first, second] = [await ask(api, '/run/talk', { input: 'hi' }), await ask(api, '/run/talk', { input: 'hi' })];
  const blocked = async () => (await ask(api, '/queue/stats')).body.blocked;
  const nobody = 'no server or worker is alive that claims runs';
  expect(await blocked()).toMatchObject([{ jobs: 2, job_class: 'model', engine: 1, missing: [nobody] }]);
  expect(await (await fetch(`${api.url}/metrics`)).text()).toMatch(/^kit_queue_blocked 2$/m);

  await fleet.database.query(`UPDATE kit.jobs SET engine = 2 WHERE id = '${String(first.body.id)}'`);
  await fleet.worker(there);
  await vi.waitUntil(async () => (await ask(api, `/jobs/${String(second.body.id)}`)).body.status === 'completed', WAIT);
  await vi.waitUntil(async () => JSON.stringify(await blocked()).includes('engine 2'), WAIT);

  const missing = ['it goes on with kit engine 2, and this is engine 1'];
  expect(await blocked()).toEqual([{ jobs: 1, job_class: 'model', engine: 2, missing, example: first.body.id }]);
  const text = await fleet.world.here(['queue-stats', there], { env: fleet.env });
  expect(text.stdout).toContain(`run ${String(first.body.id)} waits, and nobody alive can claim it\n  ${missing[0]}`);
  expect(lastOf(await fleet.world.here(['queue-stats', there, '--json'], { env: fleet.env }))).toMatchObject({
    queued: 1,
    blocked: [{ jobs: 1 }],
  });
  await fleet.database.query('UPDATE kit.jobs SET engine = 1');
  await vi.waitUntil(async () => (await ask(api, `/jobs/${String(first.body.id)}`)).body.status === 'completed', WAIT);
  expect(await blocked()).toEqual([]);
});

it('the rows lie in the database of storage.fleet where it names one, and a start is refused where that does not answer', {
  timeout: 180_000,
}, async () => {
  const fleet = await openFleet();
  const fleetStore = await createDatabase();
  try {
    const text =
      'storage: { runtime: { backend: postgres, url: "${RUNS_URL}" }, fleet: { backend: postgres, url: "${FLEET_URL}" } }\n';
    const env = { ...fleet.env, FLEET_URL: fleetStore.url };
    const dir = fleet.workspace('apart', { storage: text });
    const worker = fleet.world.start(['worker', dir], { env });
    await worker.sees(/worker \S+: class/);
    await vi.waitUntil(async () => (await fleetStore.query(ROWS)).length === 1, WAIT);

    expect(await fleet.database.query(ROWS)).toEqual([]);
    const shown = lastOf(await fleet.world.here(['top', dir, '--json'], { env }));
    expect(shown).toMatchObject({ type: 'result', members: [{ kind: 'worker', alive: true }], members_total: 1 });
    worker.child.kill('SIGTERM');
    expect((await worker.ended).code).toBe(0);
    expect(await fleetStore.query(ROWS)).toEqual([]);

    const unanswered = { ...env, FLEET_URL: 'postgres://kit:hidden@127.0.0.1:1/none' };
    const refused = await fleet.world.here(['worker', dir, '--json'], { env: unanswered });
    expect(refused.code).toBe(2);
    expect(lastOf(refused)).toMatchObject({ code: 'KIT_STORE_UNAVAILABLE' });
    expect(JSON.stringify(lastOf(refused))).toContain('storage.fleet.url');
    expect(`${refused.stdout}${refused.stderr}`).not.toContain('hidden');
    // Who only looks is told of everything else.
    expect(lastOf(await fleet.world.here(['top', dir, '--json'], { env: unanswered }))).toMatchObject({
      members: null,
      queue: { queued: 0 },
    });
  } finally {
    await fleetStore.drop();
  }
});
