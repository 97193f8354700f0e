import { expect, test } from 'vitest';
import { withoutEffect } from '../../../src/view/not-yet-text.js';
import { compileSources, WORKSPACE } from '../../support/compile.js';

const head = (kind: string) => `apiVersion: kit/v1\nkind: ${kind}\n`;
const topology = (name: string, agent: string) =>
  `${head('Topology')}metadata: { name: ${name}, version: 1.0.0 }\nagents:\n  root: { id: root, role: root, ${agent} }\n`;
const funnel = `${head('Funnel')}metadata: { id: gate, name: Gate, description: A gate for tests. }
approve: { rules: [{ scope: a:b, roles: [lead], quorum: all }], exclude_author: false }
provenance: { authored_by: human, version: 1.0.0 }
`;
const tool = `${head('Skill')}metadata: { id: tool, name: Tool, description: An agent of elsewhere. }
category: capability
implementation: { type: agent, card_url: 'https://agents.example.org/card', max_agent_answers: 1 }
provenance: { authored_by: human, version: 1.0.0 }
`;

const quiet = `${WORKSPACE}memory: { enabled: false }\n`;

async function usesOf(sources: Readonly<Record<string, string>>) {
  const { workspace } = await compileSources({ 'workspace.yaml': quiet, ...sources });
  return (workspace?.notYet ?? []).map(({ key, mark, path, pointer, reachedBy }) => ({
    key,
    mark,
    at: `${path}#${pointer}`,
    reachedBy,
  }));
}

test('says nothing of memory, which is on without a word', async () => {
  const { workspace } = await compileSources({});

  expect(workspace?.notYet).toEqual([]);
  expect(await usesOf({})).toEqual([]);
});

const reviewer = `${head('Archetype')}metadata: { id: critic, name: Critic, description: A reviewer for tests. }
role: worker
defaults: {}
executor: { kind: harness, ref: claude-code, config: { working_dir: elsewhere } }
provenance: { authored_by: human, version: 1.0.0 }
`;

test('a reviewer is refused where the topology reaches its funnel and nowhere else', async () => {
  const uses = await usesOf({
    'topologies/a.yaml': topology('a', 'funnel: gate'),
    'topologies/b.yaml': topology('b', 'children: []'),
    'funnels/gate.yaml': `${funnel}review: { archetype: critic }\n`,
    'archetypes/critic.yaml': reviewer,
  });

  const key = 'Archetype.executor.config.working_dir';
  expect(uses).toEqual([
    { key, mark: 'refuse', at: 'archetypes/critic.yaml#/executor/config/working_dir', reachedBy: ['a@1.0.0'] },
  ]);
});

test('a key that the adapter does not read says so', async () => {
  const { workspace } = await compileSources({
    'topologies/a.yaml': topology('a', 'funnel: gate'),
    'funnels/gate.yaml': `${funnel}review: { archetype: critic }\n`,
    'archetypes/critic.yaml': reviewer.replace('working_dir: elsewhere', 'script: []'),
  });
  expect(workspace?.notYet.map(withoutEffect)).toEqual([
    'Archetype.executor.config.script has no effect with the adapter claude-code, which reads no such key',
  ]);
});

test('a funnel has no key without an effect', async () => {
  expect(await usesOf({ 'topologies/a.yaml': topology('a', 'funnel: gate'), 'funnels/gate.yaml': funnel })).toEqual([]);
});

test('an agent below the root is an agent', async () => {
  const uses = await usesOf({
    'topologies/a.yaml': topology(
      'a',
      'children: [{ id: x, role: leader, children: [{ id: y, role: worker, archetype: critic }] }]',
    ),
    'archetypes/critic.yaml': reviewer,
  });

  expect(uses.map((use) => use.reachedBy)).toEqual([['a@1.0.0']]);
});

test('a server, with its tiers and effects, is not a use of a key without an effect', async () => {
  const server =
    '{ id: files, transport: stdio, command: [serve], permission: readonly, effects: { read: read }, permission_overrides: { put: strict } }';

  expect(await usesOf({ 'workspace.yaml': `${quiet}mcp_servers: [${server}]\n` })).toEqual([]);
});

test('a skill has no key without an effect', async () => {
  const uses = await usesOf({ 'workspace.yaml': quiet, 'skills/tool.yaml': tool });

  expect(uses).toEqual([]);
});

test('every setting of the server has an effect', async () => {
  const server = '{ mcp: { enabled: true }, a2a: { enabled: true, identity: { name: Desk } } }';

  expect(await usesOf({ 'workspace.yaml': `${quiet}server: ${server}\n` })).toEqual([]);
});

test('a use is shown as it was written', async () => {
  const { workspace } = await compileSources(
    {
      'workspace.yaml': quiet,
      'archetypes/critic.yaml': reviewer.replace('elsewhere', '"x-${HOOK_TOKEN}"'),
    },
    { HOOK_TOKEN: 'very-secret' },
  );

  expect(workspace?.notYet.map(({ key }) => key)).toContain('Archetype.executor.config.working_dir');
  expect(JSON.stringify(workspace?.notYet)).not.toContain('very-secret');
});
