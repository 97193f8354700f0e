import { describe, expect, it } from 'vitest';
import { KitError } from '../../src/domain/errors.js';
import type { ModelFailure, ModelResult } from '../../src/domain/ports/model.js';
import { agent, call, commandSkill, type WorldOptions } from '../support/run-world.js';
import { hasty, sameAgain } from './same-again.js';
import { record, replay } from './taped-world.js';

const failure = (kind: ModelFailure['kind']): ModelResult => ({
  ok: false,
  failure: { kind, message: `it is ${kind}`, status: 500, retryAfterMs: 1 },
});
const skilled = (
  argv: readonly string[],
  script: WorldOptions['script'] = ({ turn }) => (turn === 0 ? [call('note', { text: 'x' })] : 'done'),
) => ({
  root: agent('root', { role: 'root', skills: ['note'] }),
  skills: [commandSkill('note', argv)],
  script,
});
const harness = (over: Partial<WorldOptions>): WorldOptions => ({
  root: agent('root', { role: 'root', executor: { kind: 'plugin', ref: 'own', config: {}, onInDoubt: 'repeat' } }),
  script: () => '',
  ...over,
});
const noUsage = { usage: null, exitCode: 0, signal: null, stderrTail: '' };
/** A worktree that is a name: what a session leaves is said by the test. */
const worktrees =
  (diff: () => Promise<string>): NonNullable<WorldOptions['facilities']> =>
  () => ({
    worktrees: {
      create: async () => ({
        path: '/nowhere',
        baseCommit: 'c'.repeat(40),
        notIncluded: ['left.txt'],
        diff,
        remove: async () => undefined,
      }),
      reopen: async () => null,
    },
  });

describe('a recorded failure is replayed as it was:', () => {
  it('each attempt of a call that is tried again, in order', async () => {
    const answers = [failure('overloaded'), failure('rate_limited'), 'at last'];
    const { cassette } = await sameAgain({
      root: agent('root', { role: 'root' }),
      env: { KIT_MODEL_RETRIES: 3 },
      script: () => answers.shift() ?? 'too many',
    });

    expect(cassette.answers.map(({ key, n }) => [key, n])).toEqual([0, 1, 2].map((n) => ['root/d0/t0', n]));
  });

  it('a call that failed for good', async () => {
    expect(
      (await sameAgain({ root: agent('root', { role: 'root' }), script: () => failure('auth') })).job,
    ).toMatchObject({
      reason: 'provider.auth',
    });
  });

  it('a call without an answer in time', async () => {
    const { job, cassette } = await sameAgain({
      root: agent('root', { role: 'root' }),
      env: { KIT_MODEL_TIMEOUT: 1 },
      script: () => new Promise(() => undefined),
    });

    expect(job).toMatchObject({ reason: 'provider.timeout' });
    expect(cassette.answers).toMatchObject([{ gave: { result: { ok: false, failure: { kind: 'timeout' } } } }]);
  });

  it.each([
    ['a command', commandSkill('note', ['sleep', '60'])],
    [
      'a prompt',
      {
        ...commandSkill('note', []),
        implementation: { type: 'llm_prompt', prompt: 'Note it.', model: agent('root').model },
      },
    ],
  ] as const)('%s that the time limit of its skill cut off', async (_what, skill) => {
    const { job, events } = await sameAgain({
      ...skilled([]),
      skills: [{ ...skill, constraints: { timeoutMs: 700, retries: 0, backoff: 'none' } }],
      script: ({ turn, request }) =>
        JSON.stringify(request.messages).includes('Note it.')
          ? new Promise(() => undefined)
          : turn === 0
            ? [call('note', { text: 'x' })]
            : 'done',
    });

    expect(job).toMatchObject({ status: 'completed' });
    expect(JSON.stringify(events)).toContain('longer than 700 ms');
  });

  it('a provider that throws, and one that hands back nonsense', async () => {
    const script: WorldOptions['script'] = () => {
      throw new Error('a bug');
    };
    await sameAgain({ root: agent('root', { role: 'root' }), script });
    await sameAgain({ root: agent('root', { role: 'root' }), script: () => ({ ok: true, response: 'none' }) as never });
  });

  it('a provider that could not be opened', async () => {
    const facilities: WorldOptions['facilities'] = () => ({
      provider: () => Promise.reject(new KitError('KIT_CREDENTIAL_UNRESOLVED', 'no key here')),
    });
    const { job } = await sameAgain({ root: agent('root', { role: 'root' }), script: () => '', facilities });

    expect(job).toMatchObject({ status: 'failed', reason: 'KIT_CREDENTIAL_UNRESOLVED' });
  });

  it.each([
    { what: 'works', argv: ['sh', '-c', 'echo one; echo two'] },
    { what: 'says nothing', argv: ['true'] },
    { what: 'ends with another code', argv: ['sh', '-c', 'echo half; echo why >&2; exit 7'] },
    { what: 'is not there', argv: ['/nonexistent/program'] },
    { what: 'says too much', argv: ['sh', '-c', 'yes | head -c 3000000'] },
    { what: 'is killed by a signal', argv: ['sh', '-c', 'kill -9 $$'] },
  ])('a command that $what', async ({ argv }) => {
    const { cassette } = await sameAgain(skilled(argv));

    expect(cassette.answers.map(({ kind }) => kind)).toEqual(['model', 'command', 'model']);
  });

  it('a command whose credential does not resolve', async () => {
    const facilities: WorldOptions['facilities'] = () => ({
      commandEnv: () => Promise.reject(new KitError('KIT_CREDENTIAL_UNRESOLVED', 'no token')),
    });

    expect((await sameAgain({ ...skilled(['true']), facilities })).cassette.answers.map(({ kind }) => kind)).toEqual([
      'model',
      'command-env',
      'model',
    ]);
  });

  it.each([
    {
      what: 'answers with events and a diff',
      diff: async () => 'diff --git a b',
      result: { status: 'success', reason: null, message: '', output: 'done', ...noUsage },
    },
    {
      what: 'fails with a partial diff',
      diff: async () => 'diff --git',
      result: { status: 'failure', reason: 'exit_code', message: 'it broke', output: null, ...noUsage },
    },
    { what: 'hands back an unknown status', diff: async () => '', result: { status: 'perhaps' } },
    {
      what: 'leaves a diff that cannot be read',
      diff: () => Promise.reject(new Error('git is gone')),
      result: { status: 'success', reason: null, message: '', output: 'x', ...noUsage },
    },
  ])('a session that $what', async ({ diff, result }) => {
    const { cassette } = await sameAgain(
      harness({
        facilities: worktrees(diff),
        executor: {
          run: async (_request, context) => {
            await context.emit({ type: 'session', sessionId: 's1' });
            await context.emit({ type: 'message', role: 'assistant', text: 'working' });
            await context.emit({ type: 'tool_call', tool: 'edit', summary: 'a file', status: 'ok' });
            return result as never;
          },
        },
      }),
    );

    expect(cassette.answers.map(({ kind }) => kind)).toEqual(['worktree', 'harness', 'diff']);
  });

  it('a session that throws', async () => {
    const { job } = await sameAgain(
      harness({ facilities: worktrees(async () => ''), executor: { run: () => Promise.reject(new Error('a bug')) } }),
    );

    expect(job).toMatchObject({ reason: 'executor.executor_threw' });
  });

  it('a session without a worktree', async () => {
    const create = () => Promise.reject(new KitError('KIT_SANDBOX_UNAVAILABLE', 'there is no repository'));

    expect(
      (await sameAgain(harness({ facilities: () => ({ worktrees: { create, reopen: async () => null } }) }))).job,
    ).toMatchObject({
      status: 'failed',
      reason: 'sandbox_unavailable',
    });
  });
});

describe('a failure that ends the work of its siblings', () => {
  const children = ['slow', 'busy', 'last'].map((id) => agent(id, { skills: ['note'] }));
  const root = agent('root', { role: 'root', children });
  const all = children.map(({ id }) => call(`delegate_to_${id}`, { task: 'x' }, `call-${id}`));

  it('comes after the work that was done before it, and what it cut off stays cut off', async () => {
    const gate = Promise.withResolvers<void>();
    const script: WorldOptions['script'] = async ({ agent: id, turn }) => {
      if (id === 'root') return all;
      if (id === 'busy' && turn < 3) return [call('note', { text: `${turn}` })];
      // The third child is in flight from the beginning, the second from here on: neither gets an
      // answer any more.
      if (id === 'busy') gate.resolve();
      if (id !== 'slow') return new Promise(() => undefined);
      await gate.promise;
      return failure('auth');
    };
    const { job, cassette, events } = await sameAgain({ root, skills: [commandSkill('note', ['true'])], script });

    expect(job).toMatchObject({ status: 'failed', reason: 'provider.auth' });
    expect(cassette.answers.at(-1)?.key).toContain('slow');
    expect(JSON.stringify(events)).not.toContain('replay.miss');
  });

  it('cuts off a command and a session that were not recorded', async () => {
    const spawned = Promise.withResolvers<void>();
    const coder = agent('last', { executor: { kind: 'plugin', ref: 'own', config: {}, onInDoubt: 'repeat' } });
    const script: WorldOptions['script'] = async ({ agent: id }) => {
      if (id === 'root') return all;
      if (id === 'busy') return [call('note', { text: 'x' })];
      await spawned.promise;
      return failure('auth');
    };
    const executor: WorldOptions['executor'] = {
      run: async (_request, context) => {
        spawned.resolve();
        await new Promise((resolve) => context.signal.addEventListener('abort', resolve, { once: true }));
        throw new Error('cut off');
      },
    };
    const options = {
      root: agent('root', { role: 'root', children: [...children.slice(0, 2), coder] }),
      skills: [commandSkill('note', ['sleep', '60'])],
      script,
      executor,
      facilities: worktrees(async () => ''),
    };
    const recorded = await record(hasty(options));
    const replayed = await replay(options, recorded.cassette);

    expect(recorded.job).toMatchObject({ reason: 'provider.auth' });
    expect(replayed.job).toMatchObject({ status: 'failed', reason: 'provider.auth', error: recorded.job.error });
    expect(JSON.stringify(replayed.events)).not.toContain('replay.miss');
  });
});

describe('what is not recorded', () => {
  it('is a call that the end of the run cut off', async () => {
    const { cassette, job } = await record({
      root: agent('root', { role: 'root' }),
      timeoutMs: 300,
      script: () => new Promise(() => undefined),
    });

    expect(job).toMatchObject({ status: 'failed', reason: 'timeout' });
    expect(cassette.answers).toEqual([]);
    expect(cassette.end).toMatchObject({ status: 'failed', reason: 'timeout' });
  });

  it('is a command that the end of the run cut off', async () => {
    const { cassette } = await record({ ...skilled(['sleep', '60']), timeoutMs: 1500 });

    expect(cassette.answers.map(({ kind }) => kind)).toEqual(['model']);
  });
});

describe('a secret', () => {
  const SECRET = 'planted-secret-91c2';
  const mask: WorldOptions['mask'] = (value) => JSON.parse(JSON.stringify(value).replaceAll(SECRET, '[MASKED]'));

  it('in an answer, a command line or a request is in no line, and the run is the same with it masked', async () => {
    const { text } = await sameAgain({
      ...skilled(['sh', '-c', `echo ${SECRET}; echo ${SECRET} >&2`], ({ turn }) =>
        turn === 0 ? [call('note', { text: SECRET })] : `it is ${SECRET}`,
      ),
      mask,
    });

    expect(text).not.toContain(SECRET);
    expect(text).toContain('[MASKED]');
  });

  it('that is learnt late is taken out of what was written before', async () => {
    let isKnown = false;
    const { text, cassette } = await record({
      ...skilled(['true'], ({ turn }) => (turn === 0 ? [call('note', { text: `early ${SECRET}` })] : 'done')),
      mask: (value) => (isKnown ? (mask?.(value) ?? value) : value),
      facilities: () => ({
        commandEnv: async () => {
          isKnown = true;
          return {};
        },
      }),
    });

    expect(text).not.toContain(SECRET);
    expect(text).toContain('early [MASKED]');
    // With the mask where the secret stood it is the same request.
    const again = await replay(
      skilled(['true'], () => ''),
      cassette,
    );
    expect(again.job).toMatchObject({ status: 'completed', output: 'done' });
  });
});
