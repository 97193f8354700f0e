import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTrustFile, createVisitsFile, userConfigDir } from '../../src/boot/trust-file.js';

const ENTRY = { workspace: '/w', adapter: 'own', digest: 'a'.repeat(64) };

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kit-trust-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it('remembers an approval of one adapter, digest and workspace, readable by its owner alone', async () => {
  const path = join(directory, 'kit', 'trusted-adapters.json');
  await createTrustFile(path).add(ENTRY);

  const trust = createTrustFile(path);
  expect(await trust.has(ENTRY)).toBe(true);
  for (const other of [{ workspace: '/w2' }, { adapter: 'other' }, { digest: 'b'.repeat(64) }])
    expect(await trust.has({ ...ENTRY, ...other })).toBe(false);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it('approves nothing when the file cannot be understood', async () => {
  const path = join(directory, 'trusted-adapters.json');
  await createTrustFile(path).add(ENTRY);
  await writeFile(path, (await readFile(path, 'utf8')).slice(1));

  expect(await createTrustFile(path).has(ENTRY)).toBe(false);
});

it('refuses with the setting to change when the approval cannot be recorded', async () => {
  await writeFile(join(directory, 'file'), '');

  await expect(createTrustFile(join(directory, 'file', 'kit', 'trusted.json')).add(ENTRY)).rejects.toMatchObject({
    code: 'KIT_STORE_UNAVAILABLE',
    hint: expect.stringContaining('XDG_CONFIG_HOME'),
  });
});

it('lies below XDG_CONFIG_HOME, else below the home, also when HOME is not set', () => {
  expect(userConfigDir({ XDG_CONFIG_HOME: '/c', HOME: '/h' })).toBe('/c/kit');
  expect(userConfigDir({ HOME: '/h' })).toBe('/h/.config/kit');
  expect(userConfigDir({})).toMatch(/^\/.+\/\.config\/kit$/);
});

it('knows a workspace from its second run on, and another one not', async () => {
  const path = join(directory, 'kit', 'visited-workspaces.json');

  expect(await createVisitsFile(path).isFirst('/w')).toBe(true);
  expect(await createVisitsFile(path).isFirst('/w')).toBe(false);
  expect(await createVisitsFile(path).isFirst('/other')).toBe(true);
});
