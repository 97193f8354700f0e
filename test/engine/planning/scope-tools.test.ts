import { expect, it } from 'vitest';
import type { Planning } from '../../../src/domain/planning.js';
import { agent, call } from '../../support/run-world.js';
import { lawfulWorlds } from '../laws.js';

const open = lawfulWorlds();

const PLANNING: Planning = {
  scopeRequired: false,
  twoPhase: false,
  synthesisRoles: ['self'],
  synthesizerRole: 'synthesizer',
};
const SCOPE_TOOLS = ['create-scope', 'update-scope', 'read-scope'];
const root = agent('root', { role: 'root', children: [agent('a')] });

it.each([
  { planning: { scopeRequired: true }, ruleSet: 5, scope: SCOPE_TOOLS },
  { planning: { twoPhase: true }, ruleSet: 5, scope: SCOPE_TOOLS },
  { planning: {}, ruleSet: 5, scope: [] },
  { planning: {}, ruleSet: 4, scope: SCOPE_TOOLS },
])('a scope is offered where one is asked for, and was always offered before: %j', async (of) => {
  const offered: string[][] = [];
  const world = await open({
    root,
    snapshot: { planning: { ...PLANNING, ...of.planning }, ruleSet: of.ruleSet },
    script: ({ request }) => {
      offered.push(request.tools.map(({ name }) => name).filter((name) => name.endsWith('-scope')));
      return 'done';
    },
  });
  await world.run();

  expect(offered).toEqual([of.scope]);
});

it('a scope that nobody asks for is a tool that is not there', async () => {
  let answer: unknown = null;
  const world = await open({
    root,
    snapshot: { planning: PLANNING },
    script: ({ turn, request }) => {
      for (const part of request.messages.at(-1)?.parts ?? []) if (part.type === 'tool_result') answer = part.output;
      return turn === 0 ? [call('create-scope', { requirements: ['x'] })] : 'done';
    },
  });
  await world.run();

  expect(answer).toMatchObject({ reason: 'unknown_tool' });
  expect(await world.row()).toMatchObject({ status: 'completed', output: 'done' });
});
