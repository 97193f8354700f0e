import { describe, expect, it } from 'vitest';
import type { ModelProvider, ModelRequest, ModelResult } from '../../src/domain/ports/model.js';
import { capOf, withPart } from '../../src/engine/context/fitting.js';
import { tokensOf } from '../../src/engine/results.js';
import { binding, decisionSkill, verdict } from '../support/deciding.js';
import { agent, call, type WorldOptions } from '../support/run-world.js';
import { lawfulWorlds, payloadsOf } from './laws.js';

const open = lawfulWorlds();

const LONG = Array.from({ length: 3_000 }, (_, n) => `line ${n}`).join('\n');

/** A model with a window of so many tokens; what it takes is kept. */
function modelOf(window: number, answer: (request: ModelRequest) => ModelResult) {
  const taken: ModelRequest[] = [];
  let refused = 0;
  const provider: ModelProvider = {
    price: () => 0,
    generate: async (request) => {
      if (tokensOf(JSON.stringify(request.messages)) > window) {
        refused += 1;
        return {
          ok: false,
          failure: { kind: 'context_overflow', message: 'prompt is too long', status: 400, retryAfterMs: null },
        };
      }
      taken.push(request);
      return answer(request);
    },
  };
  return { provider, taken, refused: () => refused };
}

const says = (parts: Extract<ModelResult, { ok: true }>['response']['parts']): ModelResult => ({
  ok: true,
  response: {
    parts,
    finish: parts.some(({ type }) => type === 'tool_call') ? 'tool_calls' : 'stop',
    usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0 },
    model: 'fake-1',
  },
});
const text = (words: string): ModelResult => says([{ type: 'text', text: words }]);
const userOf = (request: ModelRequest | undefined): string => {
  const part = request?.messages.find(({ role }) => role === 'user')?.parts[0];
  return part?.type === 'text' ? part.text : '';
};

const prompt = { ...decisionSkill('sum'), category: 'capability', effects: 'read' } as const;

/** The agent calls a prompt skill with a long text. */
async function asked(window: number, over: Partial<WorldOptions> = {}) {
  const model = modelOf(window, () => text('a summary'));
  // Only the skill has a narrow model.
  const wide = modelOf(Number.POSITIVE_INFINITY, ({ messages }) =>
    messages.some(({ role }) => role === 'tool') ? text('done') : says([call('sum', { title: 'a title', body: LONG })]),
  );
  const world = await open({
    root: agent('root', { role: 'root', skills: ['sum'] }),
    skills: [prompt],
    script: () => 'unused',
    facilities: () => ({
      provider: async (_, key) => (key.includes('/c0:sum') ? model.provider : wide.provider),
    }),
    ...over,
  });
  await world.run();
  return { model, world };
}

describe('a prompt skill whose question is too long for its model', () => {
  it('is asked again without the middle of its longest text', async () => {
    const { model, world } = await asked(6_000);

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'done' });
    expect(model.refused()).toBe(1);
    const { title, body } = JSON.parse(userOf(model.taken[0]));
    expect(title).toBe('a title');
    expect(body).toMatch(
      /^line 0\n.*\n\.\.\. \(\d+ characters in all, the middle is left out\) \.\.\.\n.*\nline 2999$/s,
    );
    const keys = (await world.stores.runs.load(world.job.id)).map(({ key }) => key);
    expect(keys).toContain('root/d0/t0/c0:sum/t0/again');
    expect(payloadsOf(await world.events(), 'skill.executed')).toMatchObject([{ status: 'ok' }]);
  });

  it('fails where it does not fit three times, and at once in a run of before', async () => {
    const narrow = await asked(10);
    expect(narrow.model.refused()).toBe(4);
    expect(payloadsOf(await narrow.world.events(), 'skill.executed')).toMatchObject([
      { status: 'failed', reason: 'provider.context_overflow' },
    ]);

    const before = await asked(6_000, { snapshot: { ruleSet: 5 } });
    expect(before.model.refused()).toBe(1);
  });
});

describe('a judge whose question is too long for its model', () => {
  it('sees a part of what it judges, in whole quotations, and says so', async () => {
    const judge = modelOf(6_000, () => text(verdict('pass')));
    const wide = modelOf(Number.POSITIVE_INFINITY, () => text(LONG));
    const world = await open({
      root: agent('root', { role: 'root' }),
      skills: [decisionSkill('critic')],
      snapshot: { decisions: [binding('critic', 'post_output')] },
      script: () => 'unused',
      facilities: () => ({ provider: async (_, key) => (key.includes('critic') ? judge.provider : wide.provider) }),
    });
    await world.run();

    expect(await world.row()).toMatchObject({ status: 'completed', output: LONG });
    expect(judge.refused()).toBe(1);
    const [, mark, content] =
      /--- content (\w+) begins ---\n(.*)\n--- content \1 ends ---/s.exec(userOf(judge.taken[0])) ?? [];
    expect(mark).toMatch(/^[0-9a-f]{16}$/);
    expect(content).toContain('the middle is left out');
    expect(payloadsOf(await world.events(), 'decision.evaluated')).toMatchObject([{ passed: true, shortened: true }]);
  });
});

describe('a part of texts', () => {
  it('is taken from the longest', () => {
    expect(capOf([10, 20, 1_000], 0.5)).toBe(485);
    expect(capOf([100, 100], 0.5)).toBe(50);
    expect(capOf([], 0.5)).toBe(0);
    expect(withPart({ a: 'short', b: ['x'.repeat(400)] }, 1)).toEqual({ a: 'short', b: ['x'.repeat(400)] });
    expect(withPart({ a: 'short', b: ['x'.repeat(400)], n: 7 }, 0.5)).toMatchObject({ a: 'short', n: 7 });
  });
});
