import { expect, it } from 'vitest';
import { NO_STORAGE, readStorage } from '../../../src/app/storage/read-storage.js';

const HEAD = 'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\n';
const reading = (files: Readonly<Record<string, string>>, environment: Readonly<Record<string, string>> = {}) =>
  readStorage('/w', { files: { readText: async (path) => files[path.slice('/w/'.length)] ?? null }, environment });

it('reads the place of the runs as the compiler would, with the properties of the workspace', async () => {
  const { settings, resolve } = await reading(
    {
      'workspace.yaml': `${HEAD}storage: { runtime: { backend: postgres, url: "\${db.url}" } }\n`,
      'workspace.env.test.yaml': 'db: { url: "postgres://${HOST}/runs" }\n',
    },
    { KIT_ENV: 'test', HOST: 'db.example' },
  );

  expect(settings).toEqual({ ...NO_STORAGE, runtime: { backend: 'postgres', url: '${db.url}' } });
  expect(resolve(settings.runtime?.url ?? '').text).toBe('postgres://db.example/runs');
});

it('does not mind a broken file that never speaks of storage', async () => {
  expect((await reading({ 'workspace.yml': 'kind: [' })).settings).toEqual(NO_STORAGE);
});

it('guesses nothing where a file that speaks of storage is broken, and says what is wrong', async () => {
  await expect(
    reading({ 'workspace.yaml': `${HEAD}storage: { runtime: { backend: mysql } }\n` }),
  ).rejects.toMatchObject({
    code: 'KIT_WORKSPACE_INVALID',
    message: expect.stringContaining('says where runs are kept'),
  });
});

it('reads the rest where a name is not defined, and leaves that name to whoever needs it', async () => {
  const { settings, resolve } = await reading({
    'workspace.yaml': `${HEAD}mcp_servers: [{ id: m, transport: http, endpoint: "\${MCP_URL}" }]
storage: { runtime: { backend: postgres, url: "\${RUNS_URL}" }, fleet: { backend: sqlite } }\n`,
  });

  expect(settings).toMatchObject({
    runtime: { backend: 'postgres', url: '${RUNS_URL}' },
    fleet: { backend: 'sqlite' },
  });
  expect(resolve('${RUNS_URL}').unresolved).toEqual(['RUNS_URL']);
});

it('refuses a secret where it would be shown, also beside a name that is not defined', async () => {
  const broken = reading({
    'workspace.yaml': `${HEAD}storage: { runtime: { backend: postgres, url: "\${RUNS_URL}" }, artifacts: { backend: s3, bucket: "\${deep}" } }\n`,
    'workspace.env.yaml': 'deep: planted-secret\nsecrets: [deep]\n',
  });

  await expect(broken).rejects.toMatchObject({ code: 'KIT_WORKSPACE_INVALID' });
});

it('says that there is no workspace', async () => {
  await expect(reading({})).rejects.toMatchObject({ code: 'KIT_WORKSPACE_NOT_FOUND' });
});

it('repeats no secret of a broken file', async () => {
  const broken = reading(
    {
      'workspace.yaml': `${HEAD}storage: { runtime: { backend: "\${API_TOKEN}", url: "" }, artifacts: { backend: s3, bucket: "\${API_TOKEN}", "\${API_TOKEN}": 1 } }\n`,
    },
    { API_TOKEN: 'planted-secret' },
  );

  const error: unknown = await broken.catch((refused: unknown) => refused);

  expect(error).toMatchObject({ code: 'KIT_WORKSPACE_INVALID' });
  expect(JSON.stringify([String(error), (error as { readonly data?: unknown }).data])).not.toContain('planted-secret');
});
