import { expect, it } from 'vitest';
import { lastText, toolsIn } from '../../support/deciding.js';
import { decide, gatedBy, goOn, ONE_ROLE } from '../../support/gated.js';
import { agent, call, commandSkill, type Script } from '../../support/run-world.js';
import { lawfulWorlds } from '../laws.js';

const open = lawfulWorlds();

const fetch = commandSkill('fetch', ['echo', 'seven']);

/** A run whose one draft people ask to be changed; what its agent was told each time. */
async function reworked(ruleSet: number, answer: Script) {
  const reported: string[][] = [];
  const [offered, last]: string[][] = [[], []];
  const gated = gatedBy(ONE_ROLE);
  const world = await open({
    root: agent('writer', { role: 'root', funnel: 'sign-off', skills: ['fetch'] }),
    skills: [fetch],
    ...gated,
    snapshot: { ...gated.snapshot, ruleSet },
    script: (turn) => {
      reported.push(turn.request.messages.map(({ role, parts }) => `${role}: ${JSON.stringify(parts)}`));
      offered?.push(toolsIn(turn.request));
      last?.push(lastText(turn.request));
      return answer(turn);
    },
  });
  await world.run();
  await decide(world, { role: 'qa', outcome: 'changes-requested', comment: 'more' });
  await goOn(world);
  await decide(world, { role: 'qa' });
  await goOn(world);
  expect(await world.row()).toMatchObject({ status: 'completed' });
  return { told: reported, offered, last, output: (await world.row()).output };
}

it('goes on where the draft was given, with what tools answered, and may call them again', async () => {
  const {
    told: reported,
    offered,
    last,
    output,
  } = await reworked(5, ({ turn, request }) => {
    const results = request.messages.filter(({ role }) => role === 'tool').length;
    return turn === 0 || turn === 2 ? [call('fetch', { input: 'x' })] : `draft of ${results}`;
  });

  expect(output).toBe('draft of 2');
  expect(offered).toEqual(['1 auto', '1 auto', '1 auto', '1 auto']);
  // The draft stands in the conversation, and is not told once more.
  expect(reported[2]?.slice(0, -1)).toEqual([
    ...(reported[1] ?? []),
    'assistant: [{"type":"text","text":"draft of 1"}]',
  ]);
  expect(last?.[2]).toContain('"comment":"more"');
  expect(last?.[2]).not.toContain('draft of 1');
});

it('begins anew in a run of before rule set 5, with the draft in its task', async () => {
  const { told: reported, last } = await reworked(4, () => 'draft');

  expect(reported[1]).toHaveLength(reported[0]?.length ?? 0);
  expect(last?.[1]).toMatch(/^the task[\s\S]*--- draft ([0-9a-f]{16}) begins ---\ndraft\n--- draft \1 ends ---/);
});
