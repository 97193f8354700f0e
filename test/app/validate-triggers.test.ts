import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { contribution as cron } from '../../plugins/triggers/src/cron.js';
import { contribution as fileWatch } from '../../plugins/triggers/src/file-watch.js';
import { contribution as webhook } from '../../plugins/triggers/src/webhook.js';
import { triggerDiagnostics } from '../../src/app/validate/triggers.js';
import { validateWorkspace } from '../../src/app/validate-workspace.js';
import { KitError } from '../../src/domain/errors.js';
import type { Contribution } from '../../src/domain/extension-points.js';
import { createTestContext } from '../../src/domain/testing.js';
import { compileSources, deps } from '../support/compile.js';
import { triggerFile } from '../support/triggers/trigger-world.js';

const TYPES: Readonly<Record<string, Contribution<'triggers'>>> = { cron, webhook, file_watch: fileWatch };

const MAIN = `apiVersion: kit/v1
kind: Topology
metadata: { name: main, version: 1.0.0 }
agents:
  root: { id: root, role: root, children: [] }
`;

/** `code severity path#pointer` of what the type of one trigger says. */
async function said(rest: string): Promise<readonly string[]> {
  const { workspace } = await compileSources({
    'topologies/main.yaml': MAIN,
    'triggers/t.yaml': triggerFile('t', rest),
  });
  if (workspace === null) throw new Error('the workspace has errors');
  const noEntry = new KitError('KIT_CREDENTIAL_UNRESOLVED', 'no entry', { data: { missing: 'entry' } });
  const secrets = {
    credential: () => Promise.reject(noEntry),
    env: (name: string) => (name === 'SET' ? 'a-long-secret' : null),
  };
  const resolve = async (_point: string, name: string, config: never) =>
    TYPES[name]?.create(config, { ...createTestContext(), secrets });
  const diagnostics = await triggerDiagnostics(workspace, { resolve: resolve as never });
  return diagnostics.map(({ code, severity, path, pointer }) => `${code} ${severity} ${path}#${pointer}`);
}

it.each([
  [
    'a root outside the workspace',
    'type: file_watch\ntargets: [main]\nconfig: { root: ../x }\n',
    ['trigger.bad-config error triggers/t.yaml#/config'],
  ],
  [
    'a pattern that is none',
    "type: file_watch\ntargets: [main]\nconfig: { pattern: 'a[b' }\n",
    ['trigger.bad-config error triggers/t.yaml#/config'],
  ],
  [
    'a folder that does not exist',
    'type: file_watch\ntargets: [main]\nconfig: { root: gone }\n',
    ['trigger.inactive warning triggers/t.yaml#/config'],
  ],
  [
    'a secret that is not set',
    'type: webhook\ntargets: [main]\nconfig: { auth: { method: hmac, credentials_ref: UNSET } }\n',
    ['trigger.inactive warning triggers/t.yaml#/config'],
  ],
  ['a secret of the older form', 'topology: main\nsecret: UNSET\n', ['trigger.inactive warning triggers/t.yaml#']],
  [
    'a secret that is set',
    'type: webhook\ntargets: [main]\nconfig: { auth: { method: hmac, credentials_ref: SET } }\n',
    [],
  ],
  ['a trigger that is disabled', 'type: file_watch\nenabled: false\ntargets: [main]\nconfig: { root: gone }\n', []],
  ['a schedule', "type: cron\ntargets: [main]\nconfig: { expression: '0 6 * * *' }\n", []],
])('a validation says of %s what its type says', async (_what, rest, expected) => {
  expect(await said(rest)).toEqual(expected);
});

it('a validation lets the plugins go that it asked', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'kit-validate-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  for (const folder of ['topologies', 'triggers']) await mkdir(join(directory, folder));
  await writeFile(
    join(directory, 'workspace.yaml'),
    'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\nmemory: { enabled: false }\n',
  );
  await writeFile(join(directory, 'topologies/main.yaml'), MAIN);
  await writeFile(join(directory, 'triggers/t.yaml'), triggerFile('t', 'type: manual\ntargets: [main]\n'));
  const letGo: string[] = [];
  const openPlugins = async () => ({
    find: () => null,
    resolve: () => Promise.reject(new Error('a type that fails')),
    dispose: async () => void letGo.push('once'),
  });

  await validateWorkspace(directory, { ...deps({}), openPlugins });

  expect(letGo).toEqual(['once']);
});
