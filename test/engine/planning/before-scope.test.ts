import { expect, it } from 'vitest';
import { RULE_SET } from '../../../src/domain/snapshot.js';
import { agent, call, commandSkill } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';

const open = lawfulWorlds();

/** A coordinator in two phases that calls a skill before there is a scope. */
async function calledEarly(ruleSet: number) {
  const world = await open({
    root: agent('root', { role: 'root', skills: ['say'], children: [agent('a')] }),
    skills: [commandSkill('say', ['echo', 'hi'])],
    snapshot: {
      ruleSet,
      planning: { scopeRequired: false, twoPhase: true, synthesisRoles: [], synthesizerRole: 'synthesizer' },
    },
    script: ({ turn }) => (turn === 0 ? [call('say', { input: 'x' })] : 'the answer'),
  });
  await world.run();
  const events = await world.events();
  return { gaps: payloadsOf(events, 'skill.gap'), refused: payloadsOf(events, 'tool.refused') };
}

it('a skill that is called before there is a scope is refused, and told to come later', async () => {
  expect(await calledEarly(RULE_SET)).toEqual({ gaps: [], refused: [{ tool: 'say', reason: 'requires' }] });
});

it('a run of before goes on to record it as a tool that there is not', async () => {
  const { gaps, refused } = await calledEarly(2);

  expect(gaps).toMatchObject([{ tool: 'say' }]);
  expect(refused).toEqual([]);
});
