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
