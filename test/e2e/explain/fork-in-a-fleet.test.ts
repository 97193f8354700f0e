import { expect, it } from 'vitest';
import { ask, openFleet, until } from '../workers/fleet.js';
import { lastOf } from '../world.js';

it('a run that a worker executed on PostgreSQL is forked from a machine, and its rows are as they were', {
  timeout: 120_000,
}, async () => {
  const fleet = await openFleet();
  const [here, there] = [fleet.workspace('api'), fleet.workspace('worker')];
  const api = await fleet.api(here);
  const { body } = await ask(api, '/run/talk', { input: 'hi' });
  await (await fleet.worker(there, '--once')).ended;
  const id = String((await until(api, body.id, 'completed')).id);
  const kit = (...argv: readonly string[]) => fleet.world.kit(argv, { cwd: here, env: fleet.env });
  const rows = async () => [
    await fleet.database.query(`SELECT xmin::text, * FROM kit.jobs WHERE id = '${id}'`),
    await fleet.database.query(`SELECT xmin::text, * FROM kit.steps WHERE job_id = '${id}' ORDER BY ord`),
    await fleet.database.query(`SELECT xmin::text, * FROM kit.events WHERE job_id = '${id}' ORDER BY pos`),
  ];
  const before = await rows();
  const { prompts } = lastOf(await kit('debug', id, '--json')) as {
    prompts: readonly { step_key: string; agent_id: string }[];
  };
  const last = prompts.findLast(({ agent_id }) => agent_id === 'boss')?.step_key ?? '';
  const asked = fleet.model.asked().length;

  const forked = await kit('debug', 'fork', id, '--from', last, '--json');

  expect(prompts.map(({ agent_id }) => agent_id)).toEqual(['boss', 'helper', 'boss']);
  expect([forked.code, lastOf(forked)]).toEqual([
    0,
    expect.objectContaining({ status: 'completed', output: 'all done' }),
  ]);
  expect(fleet.model.asked().slice(asked)).toEqual(['boss']);
  expect(await rows()).toEqual(before);
});
