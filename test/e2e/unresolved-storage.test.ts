import { afterAll, beforeAll, expect, it } from 'vitest';
import { talk } from './workspaces.js';
import { lastOf, makeWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

const STORAGE =
  'storage: { runtime: { backend: postgres, url: "${RUNS_URL}" }, fleet: { backend: postgres, url: "${FLEET_URL:-postgres://db.example/fleet}" } }\n';

it('a variable of the storage block that nothing defines is a row and exit 2, beside the rows that hold', async () => {
  const dir = world.files('unset', talk({ workspace: STORAGE }));

  const reported = await world.here(['storage', 'status', dir, '--json']);
  const text = await world.here(['storage', 'status', dir]);

  expect([reported.code, text.code]).toEqual([2, 2]);
  expect(lastOf(reported)).toMatchObject({
    stores: expect.arrayContaining([
      expect.objectContaining({ store: 'runtime', backend: 'UNRESOLVED', error: expect.stringContaining('RUNS_URL') }),
      expect.objectContaining({ store: 'fleet', backend: 'postgres', error: null }),
    ]),
  });
  expect(text.stdout).toMatch(/^runtime +UNRESOLVED/m);
});

it('kit system shows that row too', async () => {
  const dir = world.files('unset system', talk({ workspace: STORAGE }));

  const { code, stdout } = await world.here(['system', dir]);

  expect(code).toBe(2);
  expect(stdout).toMatch(/runtime +UNRESOLVED/);
});

it('a journal that is wanted elsewhere is kept with the runs, and every start says so', async () => {
  const dir = world.files('apart', talk({ workspace: 'storage: { checkpoints: { backend: postgres } }\n' }));
  const env = { KIT_PROVIDER: 'mock' };

  const run = await world.here(['run', dir, 'talk', '--input', 'hi', '--json'], { env });
  const status = await world.here(['storage', 'status', dir, '--json']);
  const worker = await world.here(['worker', dir, '--once']);

  expect(run.code).toBe(0);
  expect(run.stderr).toContain('the journal is kept with the runs');
  expect(status.code).toBe(0);
  expect(lastOf(status)).toMatchObject({ warnings: [expect.stringContaining('checkpoints: { backend: sqlite }')] });
  expect(worker.code).toBe(2);
});

it('a store of the runs that does not answer is exit 2 beside the rows, with what to do', async () => {
  const dir = world.files('away', talk());
  const env = { KIT_STORE_URL: 'postgres://kit@127.0.0.1:1/kit' };

  const text = await world.here(['storage', 'status', dir], { env });
  const reported = await world.here(['storage', 'status', dir, '--json'], { env });

  expect([text.code, reported.code]).toEqual([2, 2]);
  expect(text.stdout).toMatch(/^runtime +postgres[\s\S]+^size the store cannot be asked: .+\nhint Start the server/m);
  expect(lastOf(reported)).toMatchObject({ growth: { error: expect.stringContaining('cannot be reached') } });
});
