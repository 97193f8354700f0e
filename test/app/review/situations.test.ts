import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WhyReport } from '../../../src/app/review/review-app.js';
import { explain } from '../../../src/app/review/why.js';
import { LOCAL_AUTH } from '../../../src/domain/gates.js';
import type { Job } from '../../../src/domain/job.js';
import type { ModelFailure } from '../../../src/domain/ports/model.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { commandLine } from '../../../src/view/situation/wire-situation.js';
import { openReviewWorld, type ReviewWorld } from '../../support/review-world.js';
import {
  agent,
  call,
  commandSkill,
  openWorld,
  type Turn,
  type World,
  type WorldOptions,
} from '../../support/run-world.js';

const workspace = '/unused';
const NOBODY = { roles: [], identities: [], digest: '' };
/** A process of this machine that is certainly gone. */
const DEAD = { ...readWorkerHost(), pid: 2 ** 22 + 1, processStart: 'gone' };

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function open(over: Partial<WorldOptions>): Promise<World> {
  const world = await openWorld({ root: agent('root', { role: 'root' }), script: () => 'done', ...over });
  worlds.push(world);
  return world;
}

const why = async (world: World): Promise<WhyReport> =>
  explain(world.stores, NOBODY, { job: await world.row(), gateId: null });
const fails = (kind: ModelFailure['kind']) => (): { ok: false; failure: ModelFailure } => ({
  ok: false,
  failure: { kind, message: `it says ${kind}`, status: null, retryAfterMs: null },
});

/** Waits until the model is asked, and lets go of it at the end. */
function blocked() {
  const [asked, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const script = async ({ signal }: Turn): Promise<string> => {
    asked.resolve();
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    await Promise.race([letGo.promise, stopped]);
    return 'done';
  };
  return { isAsked: asked.promise, letGo: () => letGo.resolve(), script };
}

interface Row {
  readonly code: string;
  readonly actor: string;
  /** Beginning of the command. */
  readonly command: string;
  readonly fact: boolean;
  readonly world: Partial<WorldOptions>;
}

const AGAIN = 'kit run test --supersedes';
const LIMITS: Readonly<Record<string, WorldOptions['limits'] & {}>> = {
  'steps-run': { maxStepsPerRun: 1 },
  'steps-agent': { maxStepsPerAgent: 1 },
  cost: { maxCostPerRunUsd: 0.0005 },
  tokens: { maxTokensPerRun: 1 },
};
const AUTHORS = ['context_overflow', 'bad_request', 'malformed'] as const;
const failed = (code: string, actor: string, fact: boolean, world: Partial<WorldOptions>): Row => ({
  code: `failed.${code}`,
  actor,
  command: AGAIN,
  fact,
  world,
});
/** What is around the run may be fixed: it goes on with all that it has. */
const outside = (code: string, actor: string, fact: boolean, world: Partial<WorldOptions>): Row => ({
  ...failed(code, actor, fact, world),
  command: 'kit retry',
});
/** A model whose answers all end for this reason. */
const ended =
  (finish: 'content_filter' | 'length', ...texts: readonly string[]): WorldOptions['script'] =>
  ({ request: { model } }) => {
    const usage = { inputTokens: 1, outputTokens: 9, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0 };
    return { ok: true, response: { parts: texts.map((text) => ({ type: 'text', text })), finish, model, usage } };
  };
const schema = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };

const CHOSEN = { provider: 'fake', model: 'fake-1', toolProvider: 'fake', toolModel: 'fake-1' };

const ENDED: readonly Row[] = [
  { code: 'completed.done', actor: 'nobody', command: 'kit trace', fact: false, world: {} },
  {
    code: 'completed.with-gaps',
    actor: 'nobody',
    command: 'kit gaps',
    fact: false,
    world: { script: ({ turn }) => (turn === 0 ? [call('nothing', {})] : 'done') },
  },
  {
    code: 'completed.with-denials',
    actor: 'nobody',
    command: 'kit trace',
    fact: false,
    world: {
      root: agent('root', { role: 'root', skills: ['say'] }),
      skills: [commandSkill('say', ['echo', 'hi'])],
      env: { KIT_MAX_PER_TOOL: 1 },
      script: ({ turn }) => (turn === 0 ? [call('say', {}, 'a'), call('say', {}, 'b')] : 'done'),
    },
  },
  {
    code: 'completed.by-fallback',
    actor: 'nobody',
    command: 'kit trace',
    fact: false,
    world: {
      env: { KIT_MODEL_RETRIES: 0 },
      snapshot: {
        models: { root: { ...CHOSEN, fallback: [{ provider: 'fake', model: 'other-1', options: {} }] } },
      },
      script: ({ request: { model } }) => (model === 'other-1' ? 'done' : fails('auth')()),
    },
  },
  outside('provider-timeout', 'submitter', false, { script: fails('timeout') }),
  outside('provider-rate-limited', 'submitter', false, { script: fails('rate_limited') }),
  outside('provider-overloaded', 'submitter', false, { script: fails('overloaded') }),
  outside('provider-server', 'submitter', false, { script: fails('server') }),
  outside('provider-network', 'operator', true, { script: fails('network') }),
  outside('provider-cut-stream', 'submitter', false, { script: fails('cut_stream') }),
  outside('provider-auth', 'operator', true, { script: fails('auth') }),
  outside('provider-quota', 'operator', true, { script: fails('quota') }),
  ...AUTHORS.map((kind) => failed(`provider-${kind.replace('_', '-')}`, 'author', true, { script: fails(kind) })),
  failed('rules-unfilled', 'author', true, { script: fails('unfilled') }),
  failed('content-filter', 'submitter', true, { script: ended('content_filter') }),
  failed('output-invalid', 'author', true, {
    root: agent('root', { role: 'root', outputSchema: schema }),
    script: () => '{"b": 1}',
  }),
  failed('empty-answer', 'author', true, { script: () => '' }),
  failed('truncated', 'author', true, { script: ended('length', 'The first cause is that the') }),
  failed('invalid-calls', 'author', true, {
    root: agent('root', { role: 'root', skills: ['look'] }),
    skills: [commandSkill('look', ['true'])],
    script: () => [call('look', { __invalid: '{' })],
  }),
  ...Object.entries(LIMITS).map(([of, limits]) =>
    failed(`max-${of}`, 'author', true, { limits, script: () => [call('nothing', {})] }),
  ),
  failed('timeout', 'submitter', true, {
    timeoutMs: 50,
    script: ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('late'))),
  }),
  // The directory is not a repository, so that there is no worktree to be had.
  outside('sandbox-unavailable', 'operator', true, {
    root: agent('root', { role: 'root', executor: { kind: 'plugin', ref: 'any', config: {}, onInDoubt: 'repeat' } }),
    executor: { run: () => Promise.reject(new Error('it is never asked')) } as never,
  }),
];

describe('why, of a run that ended', () => {
  it.each(ENDED)('knows $code', async ({ code, actor, command, fact, world: options }) => {
    const world = await open(options);
    await world.run();

    const { situation, facts } = await why(world);

    expect(situation.code).toBe(code);
    expect(situation.actors.map(({ kind }) => kind)).toEqual([actor]);
    expect(commandLine(situation, '')).toMatch(new RegExp(`^${command}`));
    expect(situation.fact !== null).toBe(fact);
    // Facts are of the log, and the last of them is its last event.
    const events = await world.events();
    expect(facts.at(-1)).toEqual(events.at(-1));
  });
});

describe('why, of a run that may go on', () => {
  it('knows a run that is executed, and one that is asked to stop', async () => {
    const { isAsked, letGo, script } = blocked();
    const world = await open({ script });
    const running = world.run();
    await isAsked;

    const working = await why(world);
    await world.requestStop();
    const stopping = await why(world);
    letGo();
    await running;

    expect(working.situation).toMatchObject({
      code: 'running.working',
      actors: [{ kind: 'process', names: [world.job.workerId] }],
      fact: 'the end of its work',
    });
    expect(commandLine(working.situation, 'ws')).toBe(`kit logs --run-id ${world.job.id} --follow -w ws`);
    expect(stopping.situation).toMatchObject({
      code: 'running.stopping',
      fact: 'the end of the step that is under way',
    });
  });

  it('knows one that a person stopped, whose command goes on with it', async () => {
    const world = await open({});
    await world.requestStop();
    await world.run();

    const { situation } = await why(world);
    await world.runClaim(await world.resume());

    expect(situation).toMatchObject({
      code: 'stopped.person',
      actors: [{ kind: 'submitter', names: ['tester'] }],
      command: ['kit', 'run', `--resume=${world.job.id}`],
    });
    expect((await why(world)).situation.code).toBe('completed.done');
  });

  it('knows one that was interrupted', async () => {
    const { isAsked, script } = blocked();
    const world = await open({ script });
    const abort = new AbortController();
    const running = world.run({ abort: abort.signal });
    await isAsked;
    abort.abort();
    await running;

    expect((await why(world)).situation).toMatchObject({ code: 'stopped.interrupted', fact: null });
  });

  it('knows one whose process died, by hand and in a fleet, and one that died too often', async () => {
    const byHand = await open({ host: DEAD });
    await byHand.stores.jobs.sweep(readWorkerHost());
    const inFleet = await open({ host: DEAD, recover: 'auto' });
    await inFleet.stores.jobs.sweep(readWorkerHost());

    expect((await why(byHand)).situation.code).toBe('stopped.process-died');
    expect((await why(inFleet)).situation).toMatchObject({
      code: 'claimable.crashed',
      actors: [{ kind: 'submitter' }, { kind: 'operator' }],
    });
  });

  it('knows one that was given back', async () => {
    const world = await open({});
    const { id, workerId, attempt } = world.job;
    await world.stores.jobs.release({ jobId: id, workerId: workerId ?? '', attempt });

    expect((await why(world)).situation).toMatchObject({
      code: 'claimable.again',
      command: ['kit', 'run', `--resume=${id}`],
    });
  });
});

describe('why, of a run that waits for people', () => {
  let world: ReviewWorld;
  beforeEach(async () => {
    world = await openReviewWorld();
  });
  afterEach(() => world.dispose());

  const situationOf = async (job: Job) => (await world.app.why({ workspace, what: job.id })).situation;
  const taskOf = (gateId: string, role: string): string => `mpa-${gateId}-0-${role}`;
  const resolve = (item: string, identity: string, outcome: 'approve' | 'reject' | 'changes_requested' = 'approve') =>
    world.app.resolve({ workspace, item, identity, auth: LOCAL_AUTH, outcome, comment: 'because' });

  it('knows a gate and who can sign, and after the printed decision the role that is next', async () => {
    const { job, gate } = await world.parked();

    const first = await situationOf(job);
    const [, , , item = '', , who = ''] = first.command;
    await resolve(item, who);
    const second = await situationOf(job);

    expect(first).toMatchObject({
      code: 'waiting.gate',
      actors: [{ kind: 'person', names: ['qa-1', 'qa-2'] }],
      fact: null,
    });
    expect(first.command).toEqual(['kit', 'review', 'resolve', taskOf(gate.gateId, 'qa'), '--as', 'qa-1', '--approve']);
    expect(second).toMatchObject({
      code: 'waiting.gate-next-role',
      actors: [{ kind: 'person', names: world.registry.roles.find(({ id }) => id === 'ops')?.members }],
    });
  });

  it('knows a gate that nobody can sign, and what must come first', async () => {
    const { job, gate } = await world.parked();
    world.registry.roles = world.registry.roles.map((role) => ({ ...role, members: [] }));

    expect(await situationOf(job)).toMatchObject({
      code: 'waiting.gate-nobody',
      actors: [{ kind: 'author' }],
      command: ['kit', 'review', 'gate', gate.gateId],
      fact: expect.stringContaining('qa (release:sign)'),
    });
  });

  it('knows a gate whose drafts the automated layers sent back', async () => {
    const { job } = await world.parked({ evidence: { escalated: true, retries: 2, failedLayers: ['judge'] } });

    expect((await situationOf(job)).code).toBe('waiting.gate-after-retries');
  });

  it('knows a run whose gates are decided and that nobody wakes', async () => {
    const job = await world.run();
    const gate = await world.open(job);
    await world.park(job, [gate.gateId], false);
    await resolve(taskOf(gate.gateId, 'qa'), 'qa-1');
    await resolve(taskOf(gate.gateId, 'ops'), 'ops-1');

    expect(await situationOf(job)).toMatchObject({
      code: 'waiting.resume',
      command: ['kit', 'run', `--resume=${job.id}`],
      fact: null,
    });
  });

  it.each([
    { kind: 'permission', options: [], code: 'waiting.permission', command: ['approve'], fact: null },
    { kind: 'input', options: ['red', 'blue'], code: 'waiting.choice', command: ['answer', 'red'], fact: null },
    { kind: 'input', options: [], code: 'waiting.answer', command: ['show'], fact: 'the answer' },
    { kind: 'other', options: [], code: 'waiting.person', command: ['show'], fact: 'the answer' },
  ] as const)('knows $code', async ({ kind, options, code, command, fact }) => {
    const job = await world.run();
    const item = await world.ask(job, { kind, options, question: 'Which?' });
    await world.park(job, [item.id]);

    const { command: words, ...situation } = await situationOf(job);

    expect(situation).toMatchObject({ code, fact, actors: [{ kind: 'person', names: [] }] });
    expect(words).toEqual(['kit', 'review', command[0], item.id, ...command.slice(1)]);
  });

  it('names the people to whom a policy leaves a permission, and answers as one of them', async () => {
    const job = await world.run();
    const item = await world.ask(job, {
      kind: 'permission',
      question: 'May it?',
      details: { approvers: ['ops', 'ada'] },
    });
    await world.park(job, [item.id]);

    expect(await situationOf(job)).toMatchObject({
      code: 'waiting.permission',
      actors: [{ kind: 'person', names: ['ops-1', 'both', 'ada'] }],
      command: ['kit', 'review', 'approve', item.id, '--as', 'ops-1'],
    });
  });
});
