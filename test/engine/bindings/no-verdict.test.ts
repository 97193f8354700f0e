import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/domain/ports/model.js';
import { binding, decisionSkill, lastText, verdict } from '../../support/deciding.js';
import { agent } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';

const open = lawfulWorlds();

describe('a decision after a draft', () => {
  it.each([
    {
      name: 'is asked again, and the author is not',
      answers: ['Fine work.', verdict('fine'), verdict('pass')],
      end: 'ok',
    },
    { name: 'and never does ends the agent, whose author is not asked again', answers: ['Fine.'], end: 'failed' },
  ])('a judge that gives no verdict $name', async ({ answers, end }) => {
    const asked: Record<string, ModelRequest[]> = { judge: [], root: [] };
    const world = await open({
      root: agent('root', { role: 'root' }),
      skills: [decisionSkill('judge')],
      snapshot: { decisions: [binding('judge', 'post_output')] },
      script: ({ agent: id, turn, request }) => {
        asked[id]?.push(request);
        return id === 'judge' ? (answers[turn] ?? answers.at(-1) ?? '') : 'the answer';
      },
    });
    await world.run();

    expect(asked.root).toHaveLength(1);
    expect(asked.judge).toHaveLength(3);
    expect(lastText(asked.judge?.[1] as ModelRequest)).toMatch(/^Your last message contained no verdict/);
    expect(payloadsOf(await world.events(), 'decision.evaluated')).toHaveLength(1);
    const row = await world.row();
    if (end === 'ok') expect(row).toMatchObject({ status: 'completed', output: 'the answer' });
    else expect(row).toMatchObject({ status: 'failed', error: expect.stringContaining('judge gave no verdict') });
  });
});
