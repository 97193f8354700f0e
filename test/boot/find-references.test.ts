import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFindReferences, type ReferencePlaces } from '../../src/boot/find-references.js';
import type { CredentialEntry } from '../../src/domain/workspace.js';
import { nodeFiles } from '../../src/system/files.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'kit-references-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const entry = (source: string, config: CredentialEntry['config'], providerId: string | null = null) => ({
  source,
  config,
  providerId,
});

function places(env: Record<string, string>, entries: Record<string, CredentialEntry> = {}) {
  const clock = { ms: 0, now: () => clock.ms };
  const of: ReferencePlaces = {
    clock,
    env,
    lookup: (name) => env[name],
    files: nodeFiles,
    workspaceRoot: root,
    entry: (ref) => entries[ref] ?? null,
    servers: new Set(['files']),
    plugins: { find: (_point, name) => (name === 'vault' ? ({} as never) : null) },
  };
  return { clock, find: createFindReferences(of) };
}

it('finds variables that are set, and no empty ones', async () => {
  const { find } = places({ SET: 'x', EMPTY: '' });
  expect(await find(['variable:SET', 'variable:EMPTY', 'variable:NONE'])).toEqual(['variable:SET']);
});

it('finds credentials whose source is there, without asking for the value', async () => {
  await writeFile(join(root, 'token'), 'secret');
  const { find } = places(
    { TOKEN: 'x', NAME: 'token' },
    {
      env: entry('env', { env: 'TOKEN' }),
      unset: entry('env', { env: 'OTHER' }),
      file: entry('file', { path: `\${NAME}` }),
      gone: entry('file', { path: 'nowhere' }),
      vault: entry('vault', {}),
      named: entry('anything', {}, 'vault'),
      foreign: entry('keychain', {}),
    },
  );
  const asked = ['env', 'unset', 'file', 'gone', 'vault', 'named', 'foreign', 'undeclared'];
  expect(await find(asked.map((name) => `credential:${name}`))).toEqual(
    ['env', 'file', 'vault', 'named'].map((name) => `credential:${name}`),
  );
});

it('finds tool servers that the workspace has', async () => {
  const { find } = places({});
  expect(await find(['server:files', 'server:other'])).toEqual(['server:files']);
});

it('finds programs as a shell does, and only what can be started', async () => {
  await writeFile(join(root, 'tool'), '#!/bin/sh\n');
  await writeFile(join(root, 'text'), 'no program');
  await chmod(join(root, 'tool'), 0o755);
  const { find } = places({ PATH: root });
  expect(await find(['program:tool', 'program:text', `program:${root}/tool`, 'other:tool'])).toEqual([
    'program:tool',
    `program:${root}/tool`,
  ]);
});

it('looks again after a second, and not before', async () => {
  const env: Record<string, string> = {};
  const { clock, find } = places(env);
  expect(await find(['variable:LATE'])).toEqual([]);
  env.LATE = 'x';
  clock.ms = 999;
  expect(await find(['variable:LATE'])).toEqual([]);
  clock.ms = 1_000;
  expect(await find(['variable:LATE'])).toEqual(['variable:LATE']);
});
