import { expect, it } from 'vitest';
import { talk } from '../../e2e/workspaces.js';
import { runHere, serveInfo } from '../../support/http/info-world.js';
import { as } from '../../support/http/serve-group.js';

it('tells how large its store is, how far back it reaches and what is due, as the command does', async () => {
  const world = await serveInfo(talk({ workspace: 'storage: { audit: { retention_days: 30 } }\n' }));
  const bodyOf = async (url: string) => (await world.server.inject({ url, headers: as('read') })).json();
  const growth = async () => (await bodyOf('/storage')).growth;
  const settings = { retention_days: 30, decided_by: 'storage.audit.retention_days', prune_every_hours: null };
  expect(await growth()).toEqual({ ...settings, database_bytes: null, oldest_run: null, due: null, error: null });

  const { createdAt } = await runHere(world, 'talk');

  expect(await growth()).toEqual({
    ...settings,
    database_bytes: expect.any(Number),
    oldest_run: createdAt,
    due: { runs: 0, more: false, bytes: 0 },
    error: null,
  });
  expect((await bodyOf('/system')).storage.growth).toEqual(await growth());
});
