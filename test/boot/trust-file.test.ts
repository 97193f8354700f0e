import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { userConfigDir } from '../../src/boot/settings.js';
import { createTrustFile, createVisitsFile, rememberStore, visitedWorkspaces } from '../../src/boot/trust-file.js';
import { talk } from '../e2e/workspaces.js';
import { makeHome, runKitHere } from '../support/kit-process.js';

const BY = { user: () => 'ann', now: () => Date.UTC(2026, 0, 2) };
const SPEC = { launch: { command: ['own'] } };
const ENTRY = { workspace: '/w', adapter: 'own', digest: 'a'.repeat(64) };

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kit-trust-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it('remembers an approval of one adapter, digest and workspace, readable by its owner alone', async () => {
  const path = join(directory, 'kit', 'trusted-adapters.json');
  await createTrustFile(path, BY).add(ENTRY, SPEC);

  const trust = createTrustFile(path, BY);
  expect(await trust.has(ENTRY)).toBe(true);
  for (const other of [{ workspace: '/w2' }, { adapter: 'other' }, { digest: 'b'.repeat(64) }])
    expect(await trust.has({ ...ENTRY, ...other })).toBe(false);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it('keeps who approved what and when, and finds the newest approval of an adapter', async () => {
  const path = join(directory, 'trusted-adapters.json');
  await createTrustFile(path, BY).add(ENTRY, SPEC);
  await createTrustFile(path, { ...BY, user: () => 'bob' }).add({ ...ENTRY, digest: 'b'.repeat(64) }, {});

  const trust = createTrustFile(path, BY);
  expect(await trust.last(ENTRY)).toEqual({
    fingerprint: 'b'.repeat(64),
    by: 'bob',
    at: '2026-01-02T00:00:00.000Z',
    spec: {},
  });
  await trust.add(ENTRY, SPEC);
  expect(await trust.last(ENTRY)).toMatchObject({ fingerprint: ENTRY.digest, by: 'ann', spec: SPEC });
  expect(await trust.last({ ...ENTRY, adapter: 'other' })).toBeNull();
});

it('goes by approvals of before it kept more than their digest', async () => {
  const path = join(directory, 'trusted-adapters.json');
  await writeFile(path, JSON.stringify([[ENTRY.workspace, ENTRY.adapter, ENTRY.digest], 'garbage', [1, 2, 3]]));

  const trust = createTrustFile(path, BY);
  expect(await trust.has(ENTRY)).toBe(true);
  expect(await trust.last(ENTRY)).toEqual({ fingerprint: ENTRY.digest, by: null, at: null, spec: null });
});

it('approves nothing when the file cannot be understood', async () => {
  const path = join(directory, 'trusted-adapters.json');
  await createTrustFile(path, BY).add(ENTRY, SPEC);
  await writeFile(path, (await readFile(path, 'utf8')).slice(1));

  expect(await createTrustFile(path, BY).has(ENTRY)).toBe(false);
});

it('refuses with the setting to change when the approval cannot be recorded', async () => {
  await writeFile(join(directory, 'file'), '');

  await expect(
    createTrustFile(join(directory, 'file', 'kit', 'trusted.json'), BY).add(ENTRY, SPEC),
  ).rejects.toMatchObject({
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

it('remembers workspaces that a program without a person ran, who has seen nothing yet', async () => {
  const path = join(directory, 'kit', 'visited-workspaces.json');
  const homes = [join(directory, 'nowhere'), directory];
  for (const workspace of ['/a', '/b', '/a']) await rememberStore(path, { workspace, homes });

  expect(await visitedWorkspaces(path)).toEqual(['/a', '/b']);
  expect(await createVisitsFile(path).isFirst('/a')).toBe(true);
  expect(await createVisitsFile(path).isFirst('/a')).toBe(false);
  expect(await visitedWorkspaces(path)).toEqual(['/a', '/b']);
  // Where nobody may write nothing is remembered, and nothing fails.
  await rememberStore('/dev/null/visits.json', { workspace: '/a', homes });
  // A user without a home is given none.
  const home = join(directory, 'nowhere');
  await rememberStore(join(home, 'kit', 'visited-workspaces.json'), { workspace: '/a', homes: [home] });
  expect(existsSync(home)).toBe(false);
});

it('remembers a run of a script, which no person has seen', async () => {
  const home = await makeHome();
  onTestFinished(() => home.remove());
  const root = join(directory, 'workspace');
  for (const [path, text] of Object.entries(talk())) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const config = join(home.env.XDG_CONFIG_HOME ?? '', 'kit', 'visited-workspaces.json');

  expect(await runKitHere(['run', root, 'talk', '--input', 'hi'], { env: home.env })).toMatchObject({ code: 0 });

  expect(await visitedWorkspaces(config)).toEqual([await realpath(root)]);
});
