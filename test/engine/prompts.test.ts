import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/domain/ports/model.js';
import { RULE_SET } from '../../src/domain/snapshot.js';
import { judgeSystem } from '../../src/prompts/judge.js';
import { agent, call } from '../support/run-world.js';
import { lawfulWorlds } from './laws.js';

const open = lawfulWorlds();

const systemOf = ({ messages }: ModelRequest): string =>
  messages
    .flatMap(({ role, parts }) => (role === 'system' ? parts : []))
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('');

async function systems(ruleSet: number): Promise<Readonly<Record<string, string>>> {
  const seen: Record<string, string> = {};
  const world = await open({
    root: agent('root', { role: 'root', children: [agent('child')] }),
    snapshot: { ruleSet },
    script: ({ agent: id, turn, request }) => {
      seen[id] = systemOf(request);
      if (id === 'child') return 'seven';
      return turn === 0 ? [call('delegate_to_child', { task: 'count' })] : 'it is seven';
    },
  });
  await world.run();
  return seen;
}

describe('the system prompt of an agent', () => {
  it('ends with who reads its result, where another agent gave it the task', async () => {
    const { root, child } = await systems(RULE_SET);

    expect(root).toBe('You are root.');
    expect(child).toBe(
      'You are child.\n\nWhoever gave you the task sees only your final message: it is your result. Make it complete, ask nothing back, and say what you could not find out. Write it in the language of the task unless you are told another one.',
    );
  });

  it('stays what it was in a run of before', async () => {
    expect(await systems(2)).toEqual({ root: 'You are root.', child: 'You are child.' });
  });
});

it.each([
  ['pre_input', /^Judge the task below before the agent writer works on it\. pass: the agent may do it;/],
  ['post_output', /^Judge the answer of the agent writer below\. pass: it meets every point;/],
  ['checkpoint', /^Judge the plan of the agent writer below, and what came of it\. pass: the work goes on;/],
  ['pre_synthesis', /^Judge the plan of the agent writer below, and what came of it\. pass: the work goes on;/],
] as const)('a judge is told at %s what it judges, and what the verdicts mean', (trigger, begins) => {
  const question = { trigger, agentId: 'writer', scope: 's', rubric: 'Be kind.', content: 'c', facts: {} };
  const [own, reported, rubric] = judgeSystem('You judge.', question).split('\n\n');

  expect(own).toBe('You judge.');
  expect(reported).toMatch(begins);
  expect(reported).toMatch(/fail: .*Quote what you object to\. "confidence" is how sure you are of the verdict\.$/);
  expect(rubric).toBe('Judge by this rubric:\nBe kind.');
});
