import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { writePlugin } from '../../support/plugin-package.js';
import { makeRepositoryIn } from '../repository.js';
import { ask, openFleet, until, WAIT } from '../workers/fleet.js';
import { NAME, naughty, naughtyFiles, onlyItself } from './misbehaving.js';

const STORAGE = 'storage: { runtime: { backend: postgres, url: "${RUNS_URL}" } }\n';
/** One of each kind: a timer, a rejection, a socket, the end of the process. */
const ENDS = ['throws-in-a-timer', 'leaves-a-rejection', 'fails-on-a-socket', 'calls-exit'];

it('a worker on PostgreSQL whose plugin misbehaves fails that run or ends with its name, and the next worker goes on', {
  timeout: 240_000,
}, async () => {
  const fleet = await openFleet();
  const marks = join(fleet.world.base, 'marks');
  mkdirSync(marks);
  const linked = await fleet.world.here([
    'plugins',
    'link',
    await writePlugin(fleet.world.base, naughty()),
    '--yes',
    '--json',
  ]);
  expect(linked.code, linked.stdout).toBe(0);
  const text = naughtyFiles['workspace.yaml'] ?? '';
  const files = { ...naughtyFiles, 'workspace.yaml': text.replace('max_concurrent: 40', 'lease_seconds: 3') + STORAGE };
  const dir = makeRepositoryIn(fleet.world, 'naughty', files).root;
  const { api: openApi, worker: openWorker } = fleet.by({ env: { MARKS: marks } });
  const api = await openApi(dir);
  const submit = async (how: string): Promise<string> =>
    String((await ask(api, '/run/work', { input: `do:${how}` })).body.id);

  // Each of these runs ends one worker, once.
  const workers = await Promise.all(ENDS.map(() => openWorker(dir, '--concurrency', '1')));
  const cut = await Promise.all(ENDS.map(submit));
  for (const { code, stderr } of await Promise.all(workers.map((worker) => worker.ended))) {
    expect([code, stderr]).toEqual([1, expect.stringContaining('error[KIT_PLUGIN_CRASHED]')]);
    expect(stderr).toContain(`${NAME} ended this process`);
  }
  const last = await openWorker(dir);
  for (const id of cut) expect(await until(api, id, 'completed')).toMatchObject({ error: null });

  // What concerns its own run alone is that run's, and the worker works on.
  const throwing = onlyItself.filter((how) => how.startsWith('throws-'));
  for (const how of throwing) {
    const { error } = await until(api, await submit(how), 'failed');
    expect([how, error]).toEqual([how, expect.stringContaining(NAME)]);
  }
  await until(api, await submit('nothing'), 'completed');
  expect(last.child.exitCode).toBeNull();
  last.child.kill('SIGTERM');
  await vi.waitUntil(() => last.child.exitCode !== null, WAIT);
  expect(last.child.exitCode).toBe(0);
});
