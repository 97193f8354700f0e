import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goodPlugin, packPlugin, writePlugin } from '../support/plugin-package.js';
import { makeRepositoryIn } from './repository.js';
import { eventsOf, lastOf, makeWorld, type World } from './world.js';

const workspace = (config: string): Record<string, string> => ({
  'workspace.yaml':
    'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: third, name: Third }\nmemory: { enabled: false }\n',
  'archetypes/echoing.yaml': `apiVersion: kit/v1
kind: Archetype
metadata: { id: echoing, name: Echoing, description: Carried out by the executor of a plugin. }
role: root
defaults: {}
executor: { kind: echo, config: ${config} }
provenance: { authored_by: human, version: 1.0.0 }
`,
  'topologies/echo.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: echo, version: 1.0.0 }
agents: { root: { id: echoing, role: root, archetype: echoing } }
`,
});

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

describe('an executor of a plugin that was packed and installed with no registry reachable', () => {
  it('is unknown before, carries an agent out after, gets its config, and is refused a config that its schema refuses', async () => {
    const { root } = makeRepositoryIn(world, 'third', workspace('{ prefix: p }'));
    const bad = makeRepositoryIn(world, 'bad', workspace('{ prefix: 1 }')).root;
    const before = await world.kit(['run', root, 'echo', '--input', 'hi', '--json']);
    const installed = await world.kit([
      'plugins',
      'install',
      await packPlugin(await writePlugin(world.home.path, goodPlugin), world.env),
      '--yes',
      '--json',
    ]);

    const result = await world.kit(['run', root, 'echo', '--input', 'hi there', '--json']);
    const refused = await world.kit(['run', bad, 'echo', '--input', 'hi', '--json']);

    const { stderr: source } = await world.kit(['plugins', 'update', '--yes']);
    expect(source).toMatch(/^ {2}from \/.+\.tgz; another file: kit plugins install FILE$/m);
    expect([1, 2]).toContain(before.code);
    expect(JSON.stringify(lastOf(before))).toContain('echo');
    expect(installed.code).toBe(0);
    expect(result.code).toBe(0);
    expect(JSON.parse(String(lastOf(result).output))).toMatchObject({
      said: expect.stringContaining('hi there'),
      prefix: 'p',
    });
    expect(eventsOf(result).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['executor.started', 'executor.result']),
    );
    expect([1, 2]).toContain(refused.code);
    expect(JSON.stringify(lastOf(refused))).toContain('prefix');
    expect(world.leftovers()).toEqual([]);
  });
});
