import type { AgentNode } from '../../src/domain/agent-node.js';
import type { LinkedSkill } from '../../src/domain/linked-skill.js';
import { ASKING_EXECUTOR } from './crash-asking.js';
import { scripted } from './fake-claude.js';

const CALL = { call: 'mcp__kit__deploy', input: { input: 'now' } };

/** An agent that has the call as a skill, which people decide about. */
export const GATEWAY_DEPLOYER: Partial<AgentNode> = {
  executor: ASKING_EXECUTOR,
  skills: ['deploy'],
  systemPrompt: `You are deployer. ${scripted([[{ say: 'Now it goes out.' }, CALL], [{ say: 'It is out.' }]])}`,
};

/** The same of a program that asks nobody: its model makes a call again that was cut off. */
export const PLAIN_DEPLOYER: Partial<AgentNode> = {
  executor: { kind: 'harness', ref: 'claude-code', config: { permission_mode: 'acceptEdits' }, onInDoubt: 'repeat' },
  skills: ['deploy'],
  systemPrompt: `You are deployer. ${scripted([[{ ...CALL, repeats: true }], [{ say: 'It is out.' }]])}`,
};

/** What may have gone out is not sent again. [] = the scenario has no such skill. */
export function deployOf(
  scenario: string,
  command: (id: string, script: string) => LinkedSkill,
): readonly LinkedSkill[] {
  const skill = command('deploy', 'begin deploy; echo "went out"');
  if (!scenario.startsWith('asking-gateway') || skill.implementation.type !== 'command') return [];
  const permission = scenario === 'asking-gateway' ? 'strict' : 'open';
  const { implementation } = skill;
  const strict = { ...implementation.command, permission } as const;
  return [{ ...skill, onInDoubt: 'fail', implementation: { ...implementation, command: strict } }];
}
