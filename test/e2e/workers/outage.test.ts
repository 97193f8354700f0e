import { expect, it, vi } from 'vitest';
import { ask, openFleet, until, WAIT } from './fleet.js';

it('a run whose model is down has no worker, and any worker goes on with it, whoever died meanwhile', {
  timeout: 180_000,
}, async () => {
  const fleet = await openFleet();
  const dir = fleet.workspace('api');
  const env = { KIT_MODEL_RETRIES: '0', KIT_OUTAGE_PATIENCE_S: '900' };
  const api = await fleet.by({ env }).api(dir);
  fleet.model.script({ do: 'status', status: 503 });
  const first = await fleet.worker(fleet.workspace('one'), '--json');

  const id = String((await ask(api, '/run/talk', { input: 'hi' })).body.id);
  await first.sees(/"type":"waiting"/);
  first.child.kill('SIGKILL');
  await first.ended;

  const asleep = (await ask(api, `/jobs/${id}`)).body;
  expect(asleep).toMatchObject({ status: 'running', worker_id: null, waiting_on: ['outage:root/d0/t0'] });
  const queue = (await ask(api, '/queue/stats')).body;
  expect(queue).toMatchObject({ queued: 0, running: 0, waiting_for_outage: 1 });
  expect(String(queue.next_outage_look_at)).toMatch(/^\d{4}-\d\d-\d\dT/);
  const second = await fleet.worker(fleet.workspace('two'), '--json');
  expect(await until(api, id, 'completed')).toMatchObject({ output: 'all done', attempt: 2 });
  await vi.waitUntil(() => second.stdout().includes('"finished"'), WAIT);

  expect(fleet.model.asked()).toEqual(['boss', 'boss', 'helper', 'boss']);
  const { stdout } = await fleet.world.kit(['logs', dir, '--run-id', id, '--json'], { env: { ...fleet.env, ...env } });
  expect(stdout).toContain('"step.waiting"');
  expect(stdout).not.toContain('"step.repeated"');
});
