import { describe, expect, it } from 'vitest';
import { KitError } from '../../src/domain/errors.js';
import type {
  MessagePart,
  ModelMessage,
  ModelProvider,
  ModelRequest,
  ModelResult,
} from '../../src/domain/ports/model.js';
import { outputText, tokensOf } from '../../src/engine/results.js';
import { fenceOf } from '../../src/worker/fence-of.js';
import { fakeServer, saying, serverTool, toolSkill } from '../support/fake-tools.js';
import { agent, call, type World, type WorldOptions } from '../support/run-world.js';
import { committing, lawfulWorlds, payloadsOf } from './laws.js';
import { withTools } from './tools/tool-world.js';

const open = lawfulWorlds();

const OVERFLOW: ModelResult = {
  ok: false,
  failure: { kind: 'context_overflow', message: 'prompt is too long', status: 400, retryAfterMs: null },
};

/** Tokens of a request as this provider counts them. */
const sizeOf = ({ messages, tools }: ModelRequest): number => tokensOf(JSON.stringify([messages, tools]));

interface Model {
  readonly provider: ModelProvider;
  readonly requests: ModelRequest[];
  readonly refused: () => number;
}

/** A model that calls `look` in each of its turns and then answers; its window is real. */
function modelOf(of: { readonly turns: number; readonly window: number; readonly isKnown: boolean }): Model {
  const requests: ModelRequest[] = [];
  const answers = new Map<string, readonly MessagePart[]>();
  let refused = 0;
  let turn = 0;
  const partsFor = (request: ModelRequest): readonly MessagePart[] => {
    if (request.tools.length === 0) return [{ type: 'text', text: `Summary: turn ${turn}.` }];
    turn += 1;
    return turn > of.turns ? [{ type: 'text', text: 'done' }] : [call('look', { text: `file ${turn}` }, `c${turn}`)];
  };
  const provider: ModelProvider = {
    price: () => 0,
    ...(of.isKnown ? { contextWindow: () => of.window } : {}),
    generate: async (request, { stepId }) => {
      const inputTokens = sizeOf(request);
      if (inputTokens > of.window) {
        refused += 1;
        return OVERFLOW;
      }
      requests.push(request);
      const parts = answers.get(stepId) ?? partsFor(request);
      answers.set(stepId, parts);
      const usage = { inputTokens, outputTokens: 20, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0 };
      const finish = parts.some(({ type }) => type === 'tool_call') ? 'tool_calls' : 'stop';
      return { ok: true, response: { parts, finish, usage, model: 'fake-1' } };
    },
  };
  return { provider, requests, refused: () => refused };
}

/** One agent that looks at a file of `bytes` in each turn. */
function looking(model: Model, bytes: number, over: Partial<WorldOptions> = {}): Promise<World> {
  const server = fakeServer([serverTool('look')], ({ input }) =>
    saying(`${String(input.text)}: `.padEnd(bytes, 'x y ')),
  );
  return open(
    withTools(server.source, {
      root: agent('root', { role: 'root', skills: ['look'] }),
      skills: [toolSkill('look', { effects: 'read' })],
      script: () => 'unused',
      facilities: () => ({ provider: async () => model.provider }),
      ...over,
      env: { KIT_MAX_TOOL_TURNS: 500, ...over.env },
    }),
  );
}

const textsOf = (messages: readonly ModelMessage[]): string =>
  messages
    .flatMap(({ parts }) => parts)
    .map((part) => (part.type === 'text' ? part.text : part.type === 'tool_result' ? outputText(part.output) : ''))
    .join('\n');

/** No call without its answer, and no answer without its call. */
function checkPairs({ messages }: ModelRequest): void {
  const ids = (type: 'tool_call' | 'tool_result'): readonly string[] =>
    messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === type ? [part.id] : [])));
  expect(ids('tool_result')).toEqual(ids('tool_call'));
}

describe('a conversation that outgrows the window of its model', () => {
  it('goes on for 200 turns of 10 kB in a window of 32k, without one request that is too long', async () => {
    const model = modelOf({ turns: 200, window: 32_000, isKnown: true });
    const world = await looking(model, 10_000);

    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'completed', output: 'done' } });

    expect(model.refused()).toBe(0);
    for (const request of model.requests) checkPairs(request);
    const turns = model.requests.filter(({ tools }) => tools.length > 0);
    expect(turns).toHaveLength(201);
    for (const { messages } of turns) expect(messages[0]?.role === 'system' && textsOf(messages)).toContain('the task');
    const last = textsOf(turns.at(-1)?.messages ?? []);
    expect(last).toContain('This is your summary of them:');
    expect(last).toMatch(
      /\(10018 characters, left out to save room; context_retrieve \{"ref": "look-[0-9a-f]{12}"\} gives them\)/,
    );
    expect(turns.at(-1)?.tools.map(({ name }) => name)).toEqual(['look', 'context_retrieve']);
    const asked = model.requests.filter(({ tools }) => tools.length === 0);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThan(20);
  }, 120_000);

  it('is made shorter and asked once more where nobody knew the window before', async () => {
    const model = modelOf({ turns: 30, window: 8_000, isKnown: false });
    const world = await looking(model, 6_000);

    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'completed', output: 'done' } });

    const called = payloadsOf(await world.events(), 'model.called');
    const tooLong = called.filter(({ reason }) => reason === 'provider.context_overflow');
    expect(tooLong).toHaveLength(model.refused());
    expect(tooLong.length).toBeGreaterThan(0);
    expect(called.filter(({ purpose }) => purpose === 'summary').length).toBeGreaterThan(0);
    for (const request of model.requests) checkPairs(request);
  });

  it('may ask for a result that was taken out of its newest turn', async () => {
    const model = modelOf({ turns: 1, window: 2_000, isKnown: false });
    const world = await looking(model, 10_000);

    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'completed', output: 'done' } });

    const last = model.requests.at(-1);
    expect(textsOf(last?.messages ?? [])).toContain('left out to save room; context_retrieve');
    expect(last?.tools.map(({ name }) => name)).toEqual(['look', 'context_retrieve']);
  });

  it('fails where its task alone is longer than the window', async () => {
    const model = modelOf({ turns: 1, window: 10, isKnown: true });
    const world = await looking(model, 100);

    expect(await world.run()).toMatchObject({
      kind: 'ended',
      end: { status: 'failed', reason: 'provider.context_overflow' },
    });
    expect(model.refused()).toBe(2);
  });

  it('loses the earlier turns of a talk to a summary, and never what it is asked now', async () => {
    const conversation = Array.from({ length: 40 }, (_, n) => ({
      message: `question ${n}`,
      answer: 'a b '.repeat(250),
    }));
    const model = modelOf({ turns: 1, window: 8_000, isKnown: false });
    const world = await looking(model, 100, { snapshot: { conversation } });

    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'completed', output: 'done' } });

    expect(model.refused()).toBe(1);
    const [summary, ...turns] = model.requests;
    expect(textsOf(summary?.messages ?? [])).toContain('user: question 39');
    for (const { messages } of turns) {
      expect(textsOf(messages.slice(0, 3))).toMatch(/^You are root\.\nthe task\n.*This is your summary of them:/s);
      expect(textsOf(messages)).not.toContain('question 39');
    }
    expect(turns).toHaveLength(2);
  });

  it('fails at once in a run of before', async () => {
    const model = modelOf({ turns: 30, window: 8_000, isKnown: true });
    const world = await looking(model, 6_000, { snapshot: { ruleSet: 3 }, env: { KIT_MAX_RESULT_CHARS: 3_000 } });

    expect(await world.run()).toMatchObject({
      kind: 'ended',
      end: { status: 'failed', reason: 'provider.context_overflow' },
    });
    expect(model.refused()).toBe(1);
  });
});

describe('a run that dies while its conversation is made shorter', () => {
  const SMALL = { turns: 12, window: 2_000, isKnown: true };

  /** What the model was asked, once each, in a run that dies at a commit and is taken over. */
  async function asked(dies: number): Promise<readonly string[] | null> {
    const model = modelOf(SMALL);
    let commits = 0;
    let isDead = false;
    const world = await looking(model, 2_000, {
      wrap: (stores) =>
        committing(stores, (fence, writes) => {
          commits += 1;
          if (commits === dies) isDead = true;
          return isDead
            ? Promise.reject(new KitError('KIT_STORE_BUSY', 'this process dies'))
            : stores.runs.commit(fence, writes);
        }),
    });
    const ended = await world.run();
    const isOver = commits < dies;
    if (!isOver) {
      expect(ended).toMatchObject({ kind: 'lost' });
      isDead = false;
      await world.stores.jobs.release(fenceOf(world.job));
      await world.runClaim(await world.claim());
    }
    expect(await world.row()).toMatchObject({ status: 'completed', output: 'done' });
    return isOver && dies !== Number.POSITIVE_INFINITY
      ? null
      : [...new Set(model.requests.map((one) => JSON.stringify(one)))];
  }

  it('goes on with the same conversation, wherever that was', async () => {
    const whole = await asked(Number.POSITIVE_INFINITY);
    expect(whole?.some((text) => text.includes('Summary: turn'))).toBe(true);
    let points = 0;
    for (let dies = 1; ; dies += 1) {
      const again = await asked(dies);
      if (again === null) break;
      points += 1;
      expect(again, `dies at commit ${dies}`).toEqual(whole);
    }
    expect(points).toBeGreaterThan(20);
  }, 120_000);
});
