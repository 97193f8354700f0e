import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeRepositoryIn } from './repository.js';
import { eventsOf, lastOf, makeWorld, type World } from './world.js';

const WORKSPACE = {
  'workspace.yaml': `apiVersion: kit/v1
kind: Workspace
metadata: { id: skeleton, name: Skeleton }
memory: { enabled: false }
`,
  'archetypes/sorting.yaml': `apiVersion: kit/v1
kind: Archetype
metadata: { id: sorting, name: Sorting, description: Carried out by the executor that kit plugins new has written. }
role: root
defaults: {}
executor: { kind: sorter, config: { command: [sort, -u] } }
provenance: { authored_by: human, version: 1.0.0 }
`,
  'topologies/sort.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: sort, version: 1.0.0 }
agents: { root: { id: sorting, role: root, archetype: sorting } }
`,
};

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

it('carries an agent out with the executor that kit plugins new has written, once it is linked', async () => {
  const { root } = makeRepositoryIn(world, 'work', WORKSPACE);
  const plugin = join(world.home.path, 'kit-plugin-sorter');
  const made = await world.kit(['plugins', 'new', 'executors', plugin, '--json']);
  const linked = await world.kit(['plugins', 'link', plugin, '--yes', '--json']);

  const result = await world.kit(['run', root, 'sort', '--input', 'b\na\nb', '--json']);

  expect([made.code, linked.code, result.code]).toEqual([0, 0, 0]);
  expect(String(lastOf(result).output)).toMatch(/a\nb/);
  expect(eventsOf(result).map(({ type }) => type)).toEqual(
    expect.arrayContaining(['executor.started', 'executor.message', 'executor.result']),
  );
  expect(world.leftovers()).toEqual([]);
});
