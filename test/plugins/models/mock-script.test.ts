import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type KitHome, makeHome, runKitHere } from '../../support/kit-process.js';

let home: KitHome;
let dir: string;

const TOPOLOGY = `apiVersion: kit/v1
kind: Topology
metadata: { name: t, version: 1.0.0, description: A topology. }
agents: { root: { id: root, role: root, archetype: reader } }
`;
const archetype = (provider: string, options: string): string => `apiVersion: kit/v1
kind: Archetype
metadata: { id: reader, name: Reader, description: It reads what it is given. }
role: worker
defaults:
  model: { provider: ${provider}, name: mock, options: ${options} }
  prompt: { system: Read. }
provenance: { authored_by: human, version: 1.0.0 }
`;
const WORKSPACE = 'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\n';

beforeAll(async () => {
  home = await makeHome();
  dir = await mkdtemp(join(tmpdir(), 'kit-mock-script-'));
  for (const folder of ['archetypes', 'topologies']) await mkdir(join(dir, folder));
  await writeFile(
    join(dir, 'workspace.yaml'),
    `${WORKSPACE}model_providers: [{ class: mock, provider_id: stand-in, config: {} }]\n`,
  );
  await writeFile(join(dir, 'topologies', 't.yaml'), TOPOLOGY);
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
  await home.remove();
});

async function validate(provider: string, options: string) {
  await writeFile(join(dir, 'archetypes', 'reader.yaml'), archetype(provider, options));
  return runKitHere(['validate', dir], { cwd: dir, env: home.env });
}

test.each([
  ['a key of a step', 'mock', '{ script: [{ tool_call: [] }] }', /"tool_call" is not allowed here[\s\S]*`tool_calls`/],
  ['the script itself', 'mock', '{ scirpt: [] }', /has no option `scirpt`[\s\S]*`script`/],
  ['a kind of failure', 'mock', '{ script: [{ fail: { kind: overload } }] }', /"overloaded"[\s\S]*found "overload"/],
  ['a key, for an entry of the class mock', 'stand-in', '{ script: [{ txt: a }] }', /"txt" is not allowed here/],
])('kit validate names %s that a script of mock does not know', async (_, provider, options, reported) => {
  const { code, stdout, stderr } = await validate(provider, options);

  expect(code, stdout + stderr).toBe(1);
  expect(stdout + stderr).toMatch(reported);
  expect(stdout + stderr).toContain('provider.config-invalid');
  expect(stdout + stderr).toMatch(/archetypes\/reader\.yaml:6/);
});

test.each([
  [
    'a script as it is documented',
    'mock',
    '{ script: [{ tool_calls: [{ name: a, input: { b: 1 } }] }, { text: done }] }',
  ],
  ['options of another provider', 'openai', '{ scirpt: [1] }'],
  ['options that mean nothing to mock', 'mock', '{ top_p: 1 }'],
])('kit validate takes %s', async (_, provider, options) => {
  const { code, stdout, stderr } = await validate(provider, options);

  expect(code, stdout + stderr).toBe(0);
});
