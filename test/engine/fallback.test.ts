import { describe, expect, test } from 'vitest';
import type { FallbackModel } from '../../src/domain/fallback-model.js';
import type { MessagePart, ModelFailure, ModelProvider, ModelRequest } from '../../src/domain/ports/model.js';
import { eventText } from '../../src/view/lines/event-text.js';
import { callOf } from '../../src/view/reduce-agents.js';
import { RunFold } from '../../src/view/run-fold.js';
import { EMPTY_RUN } from '../../src/view/run-view.js';
import { agent, call, commandSkill, type World, type WorldOptions } from '../support/run-world.js';
import { lawfulWorlds, payloadsOf } from './laws.js';

const open = lawfulWorlds();

type Said = readonly MessagePart[] | ModelFailure['kind'] | 'withheld';

/** Price of a call at each of them, in USD. */
const PRICES: Readonly<Record<string, number>> = { first: 5, second: 0.5, third: 0.05 };

/** Providers that answer or fail in turn, and what each was asked. */
function providers(scripts: Readonly<Record<string, readonly Said[]>>) {
  const asked: { readonly by: string; readonly request: ModelRequest }[] = [];
  const left = Object.fromEntries(Object.entries(scripts).map(([id, script]) => [id, [...script]]));
  const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 0, costUsd: null };
  const of = (by: string): ModelProvider => ({
    price: () => PRICES[by] ?? null,
    generate: async (request) => {
      asked.push({ by, request });
      const said = left[by]?.shift() ?? 'network';
      if (said === 'withheld')
        return { ok: true, response: { parts: [], finish: 'content_filter', usage, model: request.model } };
      if (typeof said === 'string')
        return { ok: false, failure: { kind: said, message: `${by} is ${said}`, status: null, retryAfterMs: null } };
      const finish = said.some(({ type }) => type === 'tool_call') ? 'tool_calls' : 'stop';
      return { ok: true, response: { parts: said, finish, usage, model: request.model } };
    },
  });
  return { asked, of, by: () => asked.map((one) => one.by) };
}

const text = (words: string): readonly MessagePart[] => [{ type: 'text', text: words }];
const FALLBACK: readonly FallbackModel[] = [
  { provider: 'second', model: 'two', options: { top_k: 2 } },
  { provider: 'third', model: 'three', options: {} },
];

function worldOf(made: ReturnType<typeof providers>, over: Partial<WorldOptions> = {}): Promise<World> {
  const binding = (id: string) => [id, { id, contribution: id, config: {} }] as const;
  const models = {
    root: { provider: 'first', model: 'one', toolProvider: 'first', toolModel: 'one', fallback: FALLBACK },
  };
  return open({
    root: agent('root', { role: 'root', skills: ['look'], model: { ...agent('root').model, options: { seed: 1 } } }),
    skills: [commandSkill('look', ['echo', 'seen'])],
    script: () => 'nobody asks the script',
    facilities: () => ({ provider: async ({ id }) => made.of(id) }),
    ...over,
    env: { KIT_MODEL_RETRIES: 0, ...over.env },
    snapshot: { models, providers: Object.fromEntries(['first', 'second', 'third'].map(binding)), ...over.snapshot },
  });
}

const served = (called: readonly { readonly served_by?: { readonly provider: string } }[]) =>
  called.map(({ served_by }) => served_by?.provider);

describe('a fallback model', () => {
  test.each(['network', 'overloaded', 'server', 'rate_limited', 'timeout', 'auth', 'quota', 'withheld'] as const)(
    'is asked where the one before it is %s',
    async (fault) => {
      const made = providers({ first: [fault], second: [text('from the second')] });
      const world = await worldOf(made);

      await world.run();

      expect(await world.row()).toMatchObject({ status: 'completed', output: 'from the second' });
      expect(made.by()).toEqual(['first', 'second']);
      expect(made.asked[1]?.request).toMatchObject({ model: 'two', options: { top_k: 2 } });
      const [called] = payloadsOf(await world.events(), 'model.called');
      expect(called).toMatchObject({
        provider: 'first',
        model: 'one',
        served_by: { provider: 'second', model: 'two' },
      });
      // What was withheld, or began and was lost, is billed by whose it was.
      expect(called?.cost_usd).toBeCloseTo(['withheld', 'timeout'].includes(fault) ? 5.5 : 0.5, 9);
      expect(called?.estimated).toBe(fault === 'timeout' ? true : undefined);
    },
  );

  test.each(['bad_request', 'context_overflow'] as const)(
    'is not asked where the request is at fault: %s',
    async (fault) => {
      const made = providers({ first: [fault, fault], second: [text('from the second')] });
      const world = await worldOf(made);

      await world.run();

      expect(await world.row()).toMatchObject({ status: 'failed' });
      expect(new Set(made.by())).toEqual(new Set(['first']));
    },
  );

  test('is named by log, trace and audit', async () => {
    const world = await worldOf(providers({ first: ['auth'], second: [text('from the second')] }));
    await world.run();
    const event = (await world.events()).find(({ type }) => type === 'model.called');
    if (event === undefined) throw new Error('no model was called');

    expect(eventText(event).text).toContain('one, served by second/two (');
    expect(callOf(event)).toMatchObject({ name: 'second/two for first/one', status: 'ok' });
    const fold = new RunFold(EMPTY_RUN);
    for (const one of await world.events()) fold.add(one);
    expect(Object.keys(fold.view.usageByModel)).toEqual(['second/two']);
  });

  test('goes on with its conversation, and the next one of the list takes it over', async () => {
    const made = providers({
      first: ['network'],
      second: [[call('look', { input: '1' }, 'a')], 'overloaded'],
      third: [[call('look', { input: '2' }, 'b')], text('done')],
    });
    const world = await worldOf(made);

    await world.run();

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'done' });
    expect(made.by()).toEqual(['first', 'second', 'second', 'third', 'third']);
    const called = payloadsOf(await world.events(), 'model.called');
    expect(served(called)).toEqual(['second', 'third', 'third']);
  });

  test('takes over no conversation that carries the reasoning of another', async () => {
    const thought: MessagePart = { ...call('look', { input: '1' }, 'a'), state: { family: 'x' } } as MessagePart;
    const made = providers({ first: [[thought], 'overloaded'], second: [text('from the second')] });
    const world = await worldOf(made);

    await world.run();

    expect(await world.row()).toMatchObject({ status: 'failed', output: null });
    expect(made.by()).toEqual(['first', 'first']);
  });

  test('is not a second chance for a run that waits: all are asked again, the first one first', async () => {
    const made = providers({ first: ['network', text('back')], second: ['network'], third: ['network'] });
    const world = await worldOf(made, { env: { KIT_OUTAGE_PATIENCE_S: 900 } });

    await world.run();
    const [waiting] = payloadsOf(await world.events(), 'step.waiting');

    expect(waiting).toMatchObject({ reason: 'provider.network', tries: 1 });
    expect(made.by().slice(0, 3)).toEqual(['first', 'second', 'third']);
  });

  test('that fails too leaves the failure of the first, and what the others said', async () => {
    const made = providers({ first: ['auth'], second: ['quota'], third: ['auth'] });
    const world = await worldOf(made);

    await world.run();

    const row = await world.row();
    expect(row).toMatchObject({ status: 'failed' });
    expect(JSON.stringify(row)).toContain('first is auth; second: second is quota; third: third is auth');
    const [called] = payloadsOf(await world.events(), 'model.called');
    expect(called).toMatchObject({ provider: 'first', status: 'failed', reason: 'provider.auth' });
  });
});
