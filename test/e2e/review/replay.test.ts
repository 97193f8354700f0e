import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../support/model-server.js';
import { localProvider } from '../workspaces.js';
import { makeWorld, type World } from '../world.js';
import { gated } from './gated-workspace.js';

let world: World;
let server: ModelServer;
beforeAll(async () => {
  [world, server] = await Promise.all([makeWorld(), startModelServer()]);
});
afterAll(async () => {
  await server.close();
  await world.dispose();
});

it('a gated run is replayed up to its gate: the same bytes stand before the people, and no decision makes it go on', async () => {
  const files = Object.entries(gated()).map(
    ([path, text]) => [path, text.replaceAll('provider: mock', 'provider: local')] as const,
  );
  const directory = world.files('taped', { ...Object.fromEntries(files), 'providers/local.yaml': localProvider });
  const file = join(directory, 'release.cassette');
  const at = (url: string) => ({ env: { MODEL_URL: url, LOCAL_KEY: 'k-77a0de' } });
  const run = (url: string, ...flags: readonly string[]) =>
    world.here(['run', directory, 'release', '--as', 'dana', ...flags], at(url));
  server.script({ do: 'answer', text: 'the draft' });
  const recorded = await run(server.url, '--input', 'write it', '--record', file, '--json');
  const replayed = await run('http://127.0.0.1:9/v1', '--replay', file, '--json');
  const shown = await run('http://127.0.0.1:9/v1', '--replay', file);

  const [first, second] = [recorded, replayed].map(
    (result) =>
      result.lines().at(-1) as { readonly id: string; readonly gates: readonly { readonly gate_id: string }[] },
  );
  expect([recorded.code, replayed.code, shown.code]).toEqual([3, 3, 3]);
  expect(second?.gates).toMatchObject([{ gate_id: `${second?.id}:writer` }]);
  const gateOf = async (id: string | undefined) =>
    (await world.here(['review', 'gate', `${id}:writer`, directory, '--json'])).lines().at(-1);
  expect((await gateOf(second?.id))?.sha256).toBe((await gateOf(first?.id))?.sha256);
  expect(shown.stderr).toContain('nobody goes on with it');
  expect(shown.stderr).not.toContain('--resume');

  const task = `mpa-${second?.id}:writer-0-qa`;
  const decided = await world.here(
    ['review', 'resolve', task, directory, '--as', 'qa-1', '--changes-requested', '-m', 'again'],
    at(server.url),
  );
  expect([decided.code, decided.stdout]).toEqual([0, expect.stringContaining('a replay begins anew')]);
  expect(decided.stdout).not.toContain('--resume');
  expect((await run(server.url, `--resume=${second?.id}`)).code).toBe(2);
  expect(server.requests).toHaveLength(1);
});
