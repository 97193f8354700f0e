import { expect, it, vi } from 'vitest';
import { linesOf } from '../../support/kit-process.js';
import { ask, openFleet, until, WAIT } from './fleet.js';

const kinds = (stdout: string): readonly string[] => linesOf(stdout).map(({ type }) => String(type));

it('a worker that is told to end finishes what it can, gives the rest back, and another goes on without repeating it', {
  timeout: 180_000,
}, async () => {
  const fleet = await openFleet();
  const dir = fleet.workspace('long', { jobs: ', shutdown_seconds: 30' });
  const short = fleet.workspace('short', { jobs: ', shutdown_seconds: 3' });
  const api = await fleet.api(dir);

  // A long step: it ends within the grace, and so does the run. With one slot nothing is claimed
  // between the signal and the moment at which the worker hears of it.
  fleet.model.hold();
  const first = await fleet.worker(dir, '--json', '--concurrency', '1');
  const kept = String((await ask(api, '/run/talk', { input: 'kept' })).body.id);
  await fleet.model.held();
  first.child.kill('SIGTERM');
  const waiting = String((await ask(api, '/run/talk', { input: 'waits' })).body.id);
  fleet.model.release();
  const ended = await first.ended;
  expect([ended.code, kinds(ended.stdout)]).toEqual([0, ['working', 'claimed', 'finished', 'result']]);
  expect((await ask(api, `/jobs/${kept}`)).body).toMatchObject({ status: 'completed', attempt: 1 });
  expect((await ask(api, `/jobs/${waiting}`)).body).toMatchObject({ status: 'queued', attempt: 0 });

  // One that does not: the lease is given back, and nothing counts as a crash.
  fleet.model.hold();
  const second = await fleet.worker(short, '--json');
  await fleet.model.held();
  second.child.kill('SIGTERM');
  const given = await second.ended;
  expect([given.code, kinds(given.stdout)]).toEqual([0, ['working', 'claimed', 'given_back', 'result']]);
  // What was cut off is nobody's failure: the journal was closed here, not refused there.
  expect(given.stderr).not.toContain('warn');
  expect(
    await fleet.database.query("SELECT status, worker_id, crashes FROM kit.jobs WHERE status <> 'completed'"),
  ).toEqual([{ status: 'queued', worker_id: null, crashes: 0 }]);
  fleet.model.release();
  const before = fleet.model.asked().length;
  const third = await fleet.worker(dir, '--once');
  expect((await third.ended).code).toBe(0);
  expect(await until(api, waiting, 'completed')).toMatchObject({ attempt: 2, output: 'all done' });
  expect(fleet.model.asked().slice(before)).toEqual(['helper', 'boss']);

  // A second signal does not wait.
  fleet.model.hold();
  const last = await fleet.worker(dir);
  await ask(api, '/run/talk', { input: 'cut' });
  await fleet.model.held();
  last.child.kill('SIGTERM');
  await last.sees(/a second signal ends the worker at once/);
  last.child.kill('SIGINT');
  expect((await last.ended).code).toBe(130);
});

it('what a killed worker held is taken over from its journal, and a run that a person started is left to them', {
  timeout: 180_000,
}, async () => {
  const fleet = await openFleet();
  const dir = fleet.workspace('shared');
  const api = await fleet.api(dir);
  fleet.model.hold();
  const victim = await fleet.worker(dir, '--json');
  const id = String((await ask(api, '/run/talk', { input: 'hi' })).body.id);
  await fleet.model.held();
  victim.child.kill('SIGKILL');
  await victim.ended;
  fleet.model.release();
  const before = fleet.model.asked().length;
  const heir = await fleet.worker(dir, '--json');

  expect(await until(api, id, 'completed')).toMatchObject({ attempt: 2, output: 'all done' });
  expect(fleet.model.asked().slice(before)).toEqual(['helper', 'boss']);
  expect(await fleet.database.query("SELECT count(*)::int AS ends FROM kit.events WHERE type = 'run.ended'")).toEqual([
    { ends: 1 },
  ]);
  await vi.waitUntil(() => kinds(heir.stdout()).includes('finished'), WAIT);

  fleet.model.hold();
  const person = fleet.world.start(['run', dir, 'talk', '--input', 'mine', '--json'], { env: fleet.env, stdin: '' });
  const own = String((await person.sees(/"run_id":"([0-9a-f]{12})"/))[1]);
  await fleet.model.held();
  person.child.kill('SIGKILL');
  await person.ended;
  fleet.model.release();
  expect(await until(api, own, 'stopped')).toMatchObject({ attempt: 1, worker_id: null });

  const all = fleet.workspace('all', { jobs: ', recover: all' });
  fleet.model.hold();
  heir.child.kill('SIGTERM');
  api.kill('SIGTERM');
  await Promise.all([heir.ended, api.ended]);
  const again = fleet.world.start(['run', dir, 'talk', '--input', 'mine too', '--json'], { env: fleet.env, stdin: '' });
  const next = String((await again.sees(/"run_id":"([0-9a-f]{12})"/))[1]);
  await fleet.model.held();
  again.child.kill('SIGKILL');
  await again.ended;
  fleet.model.release();
  const open = await fleet.api(all);
  await fleet.worker(all);
  expect(await until(open, next, 'completed')).toMatchObject({ attempt: 2 });
  expect((await ask(open, `/jobs/${own}`)).body).toMatchObject({ status: 'stopped' });
});
