import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeRepositoryIn } from './repository.js';
import { eventsOf, lastOf, makeWorld, type World } from './world.js';

const member = (id: string, word: string): string => `    - id: ${id}
      argv: [echo, '{"verdict":"${word}","confidence":0.9,"reasoning":"${id} read it"}']
      effects: read
      output: { parse: json }
`;
const asking = (id: string, category: string, implementation: string): string => `apiVersion: kit/v1
kind: Skill
metadata: { id: ${id}, name: ${id}, description: Judges an answer for a test. }
category: ${category}
implementation: ${implementation}
outputs: { type: object, properties: { reasoning: { type: string } } }
provenance: { authored_by: human, version: 1.0.0 }
`;

/** Two of three members pass: a majority, and not everybody. */
const workspace = (strategy: string): Record<string, string> => ({
  'workspace.yaml': `apiVersion: kit/v1
kind: Workspace
metadata: { id: panel, name: Panel }
memory: { enabled: false }
command_packs:
- id: readers
  permission: open
  commands:
${member('style', 'pass')}${member('facts', 'fail')}${member('tone', 'pass')}governance:
  provider: mock
  decision_skills: [{ id: panel, trigger: post_output, config: { max_retries: 0 } }]
`,
  ...Object.fromEntries(
    ['style', 'facts', 'tone'].map((id) => [
      `skills/${id}.yaml`,
      asking(id, 'decision', `{ type: command, pack: readers, command: ${id} }`),
    ]),
  ),
  'skills/panel.yaml': asking('panel', 'decision', `{ type: composed, composes: [style, facts, tone], ${strategy} }`),
  'topologies/talk.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: talk, version: 1.0.0 }
agents: { root: { id: writer, role: root, model: { provider: mock } } }
`,
});

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

it('the strategy of a linked plugin judges a panel; without one the workspace is refused, and the majority of kit says otherwise', async () => {
  const { root } = makeRepositoryIn(world, 'custom', workspace('strategy: custom'));
  const majority = makeRepositoryIn(world, 'majority', workspace('strategy: parallel-consensus')).root;
  const run = (at: string) => world.kit(['run', at, 'talk', '--input', 'hi', '--json']);

  const before = await world.kit(['validate', root, '--format', 'json']);
  const plugin = join(world.home.path, 'strict-panel');
  const made = await world.kit(['plugins', 'new', 'skillStrategies', plugin]);
  const linked = await world.kit(['plugins', 'link', plugin, '--yes']);
  const after = await world.kit(['validate', root, '--format', 'json']);
  const judged = await run(root);
  const passed = await run(majority);

  expect(before.code).toBe(1);
  expect(before.stdout).toContain('skill.strategy-custom');
  expect([made.code, linked.code, after.code], `${made.stderr}${linked.stderr}${after.stdout}`).toEqual([0, 0, 0]);
  expect(judged.code).toBe(1);
  expect(lastOf(judged)).toMatchObject({ status: 'failed', reason: 'decision_failed' });
  const decided = eventsOf(judged).find(({ type }) => type === 'decision.evaluated');
  expect(decided).toMatchObject({ payload: { skill: 'panel', verdict: 'fail', reasoning: 'facts: facts read it' } });
  expect(passed.code).toBe(0);
  expect(world.leftovers()).toEqual([]);
});
