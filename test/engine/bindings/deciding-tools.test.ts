import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.js';
import type { LinkedSkill } from '../../../src/domain/linked-skill.js';
import type { ToolAnswer } from '../../../src/domain/ports/tools.js';
import { binding, verdict } from '../../support/deciding.js';
import { fakeServer, saying, serverTool, toolSkill } from '../../support/fake-tools.js';
import { answer, goOn, isOpenItem, reviews } from '../../support/gated.js';
import { agent, type WorldOptions } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';
import { withTools } from '../tools/tool-world.js';

const open = lawfulWorlds();
const says = (word: string): ToolAnswer => saying(verdict(word));
const structured = (value: JsonObject): ToolAnswer => ({ parts: [], structured: value, isError: false });

/** An agent whose answer the tool `judge` of a server decides about. */
async function judged(
  answers: readonly ToolAnswer[],
  permission: 'open' | 'strict' = 'open',
  over: Partial<WorldOptions> = {},
) {
  const asked: JsonObject[] = [];
  const server = fakeServer([serverTool('judge')], ({ input }) => {
    asked.push(input);
    return answers[asked.length - 1] ?? says('pass');
  });
  const skill: LinkedSkill = toolSkill('judge', { category: 'decision', effects: 'read' });
  const options: WorldOptions = {
    root: agent('root', { role: 'root' }),
    skills: [skill],
    script: () => 'the answer',
    ...over,
    snapshot: { decisions: [binding('judge', 'post_output', { maxRetries: 1 })], ...over.snapshot },
  };
  return { world: await open(withTools(server.source, options, { permission })), asked };
}

describe('a tool of a server that decides', () => {
  it.each([
    { name: 'as text', said: says('pass') },
    {
      name: 'as a structured value',
      said: structured({ verdict: 'pass', confidence: 1, reasoning: 'fine', flagged_items: [] }),
    },
  ])('lets through what it passes, said $name, and has seen it', async ({ said }) => {
    const { world, asked } = await judged([said]);
    await world.run();

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'the answer' });
    expect(JSON.stringify(asked)).toContain('the answer');
    expect(payloadsOf(await world.events(), 'decision.evaluated')).toMatchObject([
      { skill: 'judge', verdict: 'pass', passed: true },
    ]);
  });

  it.each([
    { name: 'fails it', said: says('fail'), drafts: 2 },
    // What is not a verdict is not a finding either: its author could not fix it.
    { name: 'answers with prose', said: saying('looks good to me'), drafts: 1 },
    { name: 'fails itself', said: { ...says('pass'), isError: true }, drafts: 1 },
    { name: 'answers nothing', said: { parts: [], structured: null, isError: false }, drafts: 1 },
  ])('holds back what it does not clearly pass: it $name', async ({ said, drafts: expected }) => {
    let drafts = 0;
    // Another answer each time: about the same one a tool that reads would not be asked again.
    const script = () => {
      drafts += 1;
      return `answer ${drafts}`;
    };
    const { world, asked } = await judged([said, said], 'open', { script });
    await world.run();

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'decision_failed' });
    expect(asked).toHaveLength(expected);
    expect(drafts).toBe(expected);
    expect(payloadsOf(await world.events(), 'decision.evaluated')).toEqual(
      asked.map(() => expect.objectContaining({ passed: false })),
    );
  });

  it('is asked about like any call: under the tier strict the run waits for a person', async () => {
    const { world, asked } = await judged([says('pass')], 'strict');
    expect(await world.run()).toMatchObject({ kind: 'parked' });
    expect(asked).toEqual([]);
    expect((await reviews(world)).items.filter(isOpenItem)).toMatchObject([{ kind: 'permission', skillId: 'judge' }]);
    await answer(world, { action: 'approve' });
    await goOn(world);

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'the answer' });
  });
});
