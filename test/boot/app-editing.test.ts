import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EditingApp } from '../../src/app/editing/editing-app.js';
import { openEditing } from '../../src/boot/app-editing.js';
import type { AppParts, Plugins } from '../../src/boot/parts.js';
import { createTestContext } from '../../src/domain/testing.js';
import { createClock } from '../../src/system/clock.js';
import { WORKSPACE } from '../support/compile.js';
import { openPlugins } from '../support/scene/scene-plugins.js';

const CONFIG = `${WORKSPACE}memory: { enabled: false }
credentials:
  set: { source: env, config: { env: SET_TOKEN } }
  unset: { source: env, config: { env: UNSET_TOKEN } }
  near: { source: file, config: { path: ./near.txt } }
  gone: { source: file, config: { path: ./gone.txt } }
  vault: { source: hashicorp-vault, config: { vault_path: kv/x, key: token } }
mcp_servers:
  - { id: one, transport: stdio, command: [run, the-value-of-set, text-of-near] }
`;
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

let directory = '';
beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'kit-app-editing-')));
  await writeFile(join(directory, 'workspace.yaml'), CONFIG);
  await writeFile(join(directory, 'near.txt'), 'text-of-near\n');
});
afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

/** The use cases as a process has them; no server runs in it. */
async function editing(): Promise<EditingApp> {
  const clock = createClock();
  const plugins = openPlugins({ clock, log });
  const openHost: Plugins['openHost'] = async (side) => openPlugins({ clock, log, side });
  const parts = {
    env: { SET_TOKEN: 'the-value-of-set' },
    settings: { verbose: false },
    logLines: { write: () => {} },
  } as unknown as AppParts;
  const around = {
    reload: async () => {
      throw new Error('no server runs here');
    },
    fetchOf: () => createTestContext().outbound,
    runs: { observe: () => Promise.reject(new Error('nothing was run here')) },
  };
  const opened = await openEditing(parts, { host: async () => plugins, openHost } as unknown as Plugins, around);
  return opened.editing;
}

test('the settings say which credentials yield a value, and show no value of any', async () => {
  const config = await (await editing()).config({ workspace: directory });

  expect(Object.fromEntries(config.credentials.map(({ id, resolves }) => [id, resolves]))).toEqual({
    set: true,
    unset: false,
    near: true,
    gone: false,
    vault: false,
  });
  expect(JSON.stringify(config)).not.toMatch(/the-value-of-set|text-of-near/);
  expect(config.mcpServers[0]?.command).toEqual(['run', '[MASKED]', '[MASKED]']);
});

test('a change without a server is written, and says that nothing was reloaded', async () => {
  const value = { source: 'env', config: { env: 'OTHER' } };
  const ask = { workspace: directory, section: 'credentials', entry: 'unset', value, ifMatch: null, ifNoneMatch: null };
  const { report } = await (await editing()).changeEntry(ask);

  expect(report).toMatchObject({ valid: true, written: true, reloaded: false });
  expect(await readFile(join(directory, 'workspace.yaml'), 'utf8')).toBe(CONFIG.replace('UNSET_TOKEN', 'OTHER'));
});

test('a candidate is judged by what the installed plugins bring', async () => {
  const yaml =
    'apiVersion: kit/v1\nkind: Archetype\nmetadata: { id: w, name: w, description: "The artifact w." }\nrole: worker\ndefaults: {}\n' +
    'executor: { kind: harness, ref: claude-code, config: { link: node_modules } }\nprovenance: { authored_by: human, version: 1.0.0 }\n';
  const { report } = await (await editing()).create({
    workspace: directory,
    kind: 'archetypes',
    change: { kind: 'text', text: yaml },
    dryRun: true,
  });
  expect(report).toMatchObject({
    valid: false,
    errors: [{ code: 'archetype.executor-invalid', pointer: '/executor/config/link', line: 6 }],
  });
});
