import { expect, test } from 'vitest';
import { compileSources, WORKSPACE } from '../../support/compile.js';

const archetype = (config: string) => `apiVersion: kit/v1
kind: Archetype
metadata: { id: coder, name: Coder, description: Runs a harness for a test. }
role: worker
defaults: {}
executor: { kind: harness, ref: claude-code, config: ${config} }
provenance: { authored_by: human, version: 1.0.0 }
`;
const topology = `apiVersion: kit/v1
kind: Topology
metadata: { name: t, version: 1.0.0 }
agents:
  root: { id: root, role: root, archetype: coder }
`;

async function usesOf(config: string) {
  const sources = {
    'workspace.yaml': `${WORKSPACE}memory: { enabled: false }\n`,
    'archetypes/coder.yaml': archetype(config),
    'topologies/t.yaml': topology,
  };
  const { workspace } = await compileSources(sources);
  return (workspace?.notYet ?? []).map(({ key, mark, pointer, reachedBy }) => ({ key, mark, pointer, reachedBy }));
}

test('keys that kit or the adapter reads are not news', async () => {
  expect(
    await usesOf(
      '{ model: sonnet, allowed_tools: Read, link: [node_modules], include_uncommitted: true, budget: { max_turns: 3 } }',
    ),
  ).toEqual([]);
});

test('a key that should bound a session and has no effect refuses the runs that reach it', async () => {
  expect(await usesOf('{ working_dir: /srv }')).toEqual([
    {
      key: 'Archetype.executor.config.working_dir',
      mark: 'refuse',
      pointer: '/executor/config/working_dir',
      reachedBy: ['t@1.0.0'],
    },
  ]);
});

test('a key that the adapter does not name is told, not ignored', async () => {
  expect(await usesOf('{ modle: sonnet }')).toMatchObject([{ key: 'Archetype.executor.config.modle', mark: 'warn' }]);
});
