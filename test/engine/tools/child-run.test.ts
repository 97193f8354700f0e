import { describe, expect, it } from 'vitest';
import { KitError } from '../../../src/domain/errors.js';
import type { Job, Usage } from '../../../src/domain/job.js';
import type { LinkedSkill } from '../../../src/domain/linked-skill.js';
import type { ChildRequest, ChildRuns } from '../../../src/domain/ports/child-runs.js';
import { answer, goOn, isOpenItem, reviews } from '../../support/gated.js';
import { agent, call, commandSkill, type World, type WorldOptions } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';

const open = lawfulWorlds();

type Agent = Extract<LinkedSkill['implementation'], { type: 'agent' }>;
const asks = (over: Partial<LinkedSkill> = {}, how: Partial<Agent> = {}): LinkedSkill => ({
  ...commandSkill('ask', ['true'], { effects: 'unknown' }),
  implementation: {
    type: 'agent',
    topology: 'second',
    cardUrl: null,
    skillId: null,
    credentialsRef: null,
    timeoutMs: 1000,
    permission: 'open',
    ...how,
  },
  ...over,
});

const usage = (costUsd: number | null): Usage => ({
  inputTokens: 100,
  outputTokens: 50,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  costUsd,
});

/** Runs that are over as soon as they are asked for; `made` are the requests, each id once. */
function fakeChildren(ended: Partial<Job>) {
  const made: ChildRequest[] = [];
  const rowOf = (id: string): Job =>
    ({
      id,
      topology: 'second',
      stopRequestedBy: null,
      status: 'completed',
      output: 'the result',
      error: null,
      reason: null,
      ...ended,
    }) as Job;
  const children: ChildRuns = {
    depth: async () => 0,
    get: async (id) => (made.some((one) => one.id === id) ? rowOf(id) : null),
    submit: async (request) => {
      made.push(request);
      return rowOf(request.id);
    },
    goOn: async () => undefined,
    stop: async () => undefined,
  };
  return { made, children };
}

async function calling(skill: LinkedSkill, ended: Partial<Job>, over: Partial<WorldOptions> = {}) {
  const { made, children } = fakeChildren(ended);
  const world = await open({
    root: agent('root', { role: 'root', skills: ['ask'] }),
    skills: [skill],
    script: ({ turn }) => (turn === 0 ? [call('ask', { input: 'x' })] : 'done'),
    ...over,
    facilities: () => ({ children, pause: async () => undefined }),
  });
  return { world, made };
}

const executed = async (world: World) => payloadsOf(await world.events(), 'skill.executed');

describe('a child that stopped by itself', () => {
  it('stops its caller with its reason, and is set going again once a person resumes that', async () => {
    const made: ChildRequest[] = [];
    const row = {
      topology: 'second',
      stopRequestedBy: null,
      usage: null,
      error: 'its journal is of another version',
      attempt: 1,
    };
    let child: Partial<Job> = { ...row, status: 'stopped', reason: 'journal_diverged' };
    let sentOn = 0;
    const children: ChildRuns = {
      ...fakeChildren({}).children,
      get: async (id) => (made.length === 0 ? null : ({ id, ...child } as Job)),
      submit: async (request) => {
        made.push(request);
        return { id: request.id, ...child, status: 'running' } as Job;
      },
      // It comes to the same end, and wakes its caller at once.
      goOn: async () => {
        sentOn += 1;
        child = { ...child, attempt: 1 + sentOn };
      },
    };
    const world = await open({
      root: agent('root', { role: 'root', skills: ['ask'] }),
      skills: [asks()],
      script: ({ turn }) => (turn === 0 ? [call('ask', { input: 'x' })] : 'done'),
      facilities: () => ({ children }),
    });
    // A run that waits is claimed in the same way when its child has come to rest; nobody has to
    // act then.
    const wake = async (): Promise<void> => {
      expect(await world.row()).toMatchObject({ status: 'running', workerId: null });
      await world.runClaim(await world.resume());
    };

    await world.run();
    await wake();
    expect(await world.row()).toMatchObject({
      status: 'stopped',
      reason: 'child_stopped',
      error: `run ${made[0]?.id} of second was stopped: its journal is of another version`,
    });
    expect(sentOn).toBe(0);

    await world.runClaim(await world.resume());
    expect([sentOn, (await world.row()).status]).toEqual([1, 'running']);
    await wake();
    expect([sentOn, (await world.row()).status]).toEqual([1, 'stopped']);

    await world.runClaim(await world.resume());
    child = { ...child, status: 'completed', reason: null, error: null, output: 'the result' };
    await wake();
    expect(await world.row()).toMatchObject({ status: 'completed' });
  });
});

describe('a child whose call has come to an end without it', () => {
  it('is stopped with the run that asked for it', async () => {
    const { children, made } = fakeChildren({ status: 'running' });
    const stopped: string[] = [];
    let verdict: 'open' | 'readonly' = 'open';
    const world = await open({
      root: agent('root', { role: 'root', skills: ['ask'] }),
      skills: [asks()],
      script: ({ turn }) => (turn === 0 ? [call('ask', { input: 'x' })] : 'done'),
      facilities: () => ({
        children: { ...children, stop: async (id) => void stopped.push(id) },
        tierNow: () => verdict,
      }),
    });
    await world.run();
    expect(await world.row()).toMatchObject({ status: 'running', workerId: null });

    // What authorises is live: the call is denied when the run comes by again, and nobody waits for
    // its child any more.
    verdict = 'readonly';
    await world.runClaim(await world.resume());

    expect(await executed(world)).toMatchObject([{ status: 'denied' }]);
    expect(await world.row()).toMatchObject({ status: 'completed' });
    expect(stopped).toEqual(made.map(({ id }) => id));
  });
});

describe('what a run costs that another one asked for', () => {
  it('is part of what its caller used', async () => {
    const { world } = await calling(asks(), { usage: usage(0.5) });

    await world.run();

    // Two calls of the caller's own model at a tenth of a cent.
    expect(await world.row()).toMatchObject({
      status: 'completed',
      usage: { inputTokens: 120, outputTokens: 60, costUsd: 0.502 },
    });
  });

  it.each([
    ['ended well', { status: 'completed' }],
    ['failed', { status: 'failed', error: 'it broke' }],
  ] as const)('breaks the limit of its caller, though it %s', async (_how, ended) => {
    const { world } = await calling(asks(), { ...ended, usage: usage(0.5) }, { limits: { maxCostPerRunUsd: 0.4 } });

    await world.run();

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'limit.max_cost_per_run_usd' });
    expect(payloadsOf(await world.events(), 'limit.breached')[0]).toMatchObject({
      limit: 'max_cost_per_run_usd',
      limit_value: 0.4,
      actual: 0.501,
    });
  });

  it('breaks a limit where nobody knows it', async () => {
    const { world } = await calling(asks(), { usage: usage(null) }, { limits: { maxCostPerRunUsd: 100 } });

    await world.run();

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'limit.max_cost_per_run_usd' });
  });

  it('may be what is left to the caller at most', async () => {
    const limits = { maxCostPerRunUsd: 0.4, maxTokensPerRun: 1_000 };
    const { world, made } = await calling(asks(), { usage: usage(0.1) }, { limits });
    await world.run();

    expect(made.map(({ budget }) => budget)).toEqual([{ usd: 0.399, tokens: 985 }]);
    expect((await calling(asks(), {})).made).toEqual([]);
  });

  it('counts for each attempt of a call that is made again', async () => {
    const skill = asks({ effects: 'read', constraints: { timeoutMs: null, retries: 1, backoff: 'none' } });
    const { world, made } = await calling(skill, { status: 'failed', error: 'it broke', usage: usage(0.5) });

    await world.run();

    expect(new Set(made.map(({ id }) => id)).size).toBe(2);
    expect(await executed(world)).toMatchObject([{ status: 'failed', reason: 'child_failed' }]);
    expect((await world.row()).usage?.costUsd).toBeCloseTo(1.002, 9);
  });
});

describe('a call that asks for a run', () => {
  it('hands text alone on as text, and more as it is', async () => {
    const input = async (given: Readonly<Record<string, string>>) => {
      const { world, made } = await calling(
        asks(),
        {},
        { script: ({ turn }) => (turn === 0 ? [call('ask', given)] : 'done') },
      );
      await world.run();
      return made[0]?.input;
    };

    expect([await input({ input: 'x' }), await input({}), await input({ content: 'a', scope: 'b' })]).toEqual([
      'x',
      '',
      { content: 'a', scope: 'b' },
    ]);
  });

  it('is a failed call with its code where the run is refused', async () => {
    const { children } = fakeChildren({});
    const { world } = await calling(asks(), {});
    const refusing = await open({
      root: agent('root', { role: 'root', skills: ['ask'] }),
      skills: [asks()],
      script: ({ turn }) => (turn === 0 ? [call('ask', { input: 'x' })] : 'done'),
      facilities: () => ({
        children: {
          ...children,
          submit: async () => {
            throw new KitError('KIT_INPUT_INVALID', 'the input does not fit');
          },
        },
      }),
    });
    await world.run();

    await refusing.run();

    expect(await executed(refusing)).toMatchObject([{ status: 'failed', reason: 'KIT_INPUT_INVALID' }]);
    expect(await refusing.row()).toMatchObject({ status: 'completed' });
  });

  it('is a failed call where runs call runs too deep', async () => {
    const { world, made } = await calling(asks(), {});
    Object.assign(world.facilities.children ?? {}, { depth: async () => 5 });

    await world.run();

    expect(await executed(world)).toMatchObject([{ status: 'failed', reason: 'child_too_deep' }]);
    expect(made).toEqual([]);
  });

  it('of tier strict asks a person before there is a run, for that one call', async () => {
    const { world, made } = await calling(asks({}, { permission: 'strict' }), { usage: usage(0) });
    expect(await world.run()).toMatchObject({ kind: 'parked' });

    const item = (await reviews(world)).items.find(isOpenItem);
    expect(item).toMatchObject({ kind: 'permission', skillId: 'ask' });
    expect(item?.details).toMatchObject({
      skill: 'ask',
      arguments: { input: 'x' },
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(made).toEqual([]);

    await answer(world, { action: 'approve' });
    await goOn(world);
    expect(made).toHaveLength(1);
    expect(await world.row()).toMatchObject({ status: 'completed' });
  });

  it('of tier strict is denied where the person says no, and there is no run', async () => {
    const { world, made } = await calling(asks({}, { permission: 'strict' }), {});
    await world.run();

    await answer(world, { action: 'reject' });
    await goOn(world);

    expect(await executed(world)).toMatchObject([{ status: 'denied', policy_decision: 'deny' }]);
    expect(made).toEqual([]);
  });

  it('takes the stricter tier of the snapshot and of now', async () => {
    const { children, made } = fakeChildren({});
    const world = await open({
      root: agent('root', { role: 'root', skills: ['ask'] }),
      skills: [asks()],
      script: ({ turn }) => (turn === 0 ? [call('ask', { input: 'x' })] : 'done'),
      facilities: () => ({ children, tierNow: () => 'readonly' }),
    });

    await world.run();

    expect(await executed(world)).toMatchObject([{ status: 'denied', policy_decision: 'deny' }]);
    expect(made).toEqual([]);
  });

  it('is held to the outputs of its skill', async () => {
    const outputs = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
    const fits = await calling(asks({ outputs }), { output: '{"n":1}' });
    const other = await calling(asks({ outputs }), { output: 'no value' });
    await fits.world.run();
    await other.world.run();

    expect(await executed(fits.world)).toMatchObject([{ status: 'ok', outputs: { n: 1 } }]);
    expect(await executed(other.world)).toMatchObject([{ status: 'failed', reason: 'output_invalid' }]);
  });
});
