import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  defineExecutor,
  type Executor,
  type ExecutorContext,
  type ExecutorRequest,
  type ExecutorResult,
  type PluginContext,
} from '../../src/sdk/plugin.js';
import { type ExecutorFixtures, executorConformance } from '../../src/sdk/testing.js';
import { DEADLINE_MS, runCases } from './run-cases.js';

const fixtures: ExecutorFixtures = { config: { prefix: 'p' }, program: { stdout: ['hello'], exitCode: 0 } };

const result = (more: Partial<ExecutorResult>): ExecutorResult => ({
  status: 'success',
  reason: null,
  message: '',
  output: null,
  usage: null,
  exitCode: 0,
  signal: null,
  stderrTail: '',
  ...more,
});

const spec = (request: ExecutorRequest, more: readonly string[] = []) => ({
  argv: ['say', ...more] as [string, ...string[]],
  cwd: request.sandboxRoot,
  env: {},
  stdin: request.statement,
  maxLineBytes: 1024,
  stderrTailBytes: 1024,
  idleTimeoutMs: null,
  timeoutMs: null,
  maxOutputBytes: null,
});

type Run = Executor['run'];

/** Starts a program, records each line, and answers with them. */
const goodRun: Run = async (request, context) => {
  const child = context.spawn(spec(request));
  const lines: string[] = [];
  for await (const line of child.lines) {
    lines.push(line);
    await context.emit({ type: 'message', role: 'assistant', text: line });
  }
  const done = await child.done.catch((error: unknown) => error);
  if (done instanceof Error)
    return result({ status: 'failure', reason: 'not_started', message: done.message, exitCode: null });
  await context.emit({ type: 'message', role: 'assistant', text: 'done' });
  const { exitCode, signal, ended } = done as { exitCode: number | null; signal: string | null; ended: string | null };
  return ended === null
    ? result({ output: lines, exitCode, signal })
    : result({ status: 'cancelled', reason: ended, message: 'ended', exitCode, signal });
};

const define = (run: Run, more: Partial<Executor & { dispose(): Promise<void> }> = {}) =>
  defineExecutor({ create: () => ({ run, ...more }) });

const after =
  (change: (request: ExecutorRequest, context: ExecutorContext, made: ExecutorResult) => ExecutorResult): Run =>
  async (request, context) =>
    change(request, context, await goodRun(request, context));

const withPlugin = (run: (plugin: PluginContext, ...given: Parameters<Run>) => ReturnType<Run>) =>
  defineExecutor({ create: (_config, plugin) => ({ run: (request, context) => run(plugin, request, context) }) });

const shared = { run: goodRun };
const NAMES = {
  tag: 'is stamped by the define function of its point',
  quiet: 'is created without touching the network or starting a process',
  fresh: 'gives a new instance each time it is created',
  config: 'leaves its configuration as it was given',
  dispose: 'can be disposed twice',
  shape: 'answers with a result of the known shape',
  durable: 'waits until each event is durable before it goes on',
  lost: 'ends with the error when an event cannot be recorded',
  before: 'ends soon when the run was stopped before it began',
  during: 'ends soon when the run is stopped',
  spawn: 'starts processes through its context alone',
  missing: 'answers with a failure when its program cannot be started',
  ended: 'answers with a failure when kit ended its program',
  secret: 'shows no secret in its result, its events, its log or a command line',
} as const;

const disposable = () => {
  let isDisposed = false;
  return async () => {
    if (isDisposed) throw new Error('already disposed');
    isDisposed = true;
  };
};

/** A broken executor -> the cases that catch it. */
const MUTANTS = [
  {
    name: 'carries the tag of another point',
    made: { ...define(goodRun), $$type: 'kit.modelProviders' as never },
    caught: [NAMES.tag],
  },
  {
    name: 'asks the network when it is created',
    made: defineExecutor({
      create: async (_config, plugin) => {
        await plugin.fetch('http://127.0.0.1:9/').catch(() => undefined);
        return { run: goodRun };
      },
    }),
    caught: [NAMES.quiet],
  },
  { name: 'gives one shared instance', made: defineExecutor({ create: () => shared }), caught: [NAMES.fresh] },
  {
    name: 'fills defaults into the configuration it was given',
    made: defineExecutor({
      create: (config) => {
        Object.assign(config, { prefix: 'x' });
        return { run: goodRun };
      },
    }),
    caught: [NAMES.config],
  },
  {
    name: 'throws when it is disposed again',
    made: defineExecutor({ create: () => ({ run: goodRun, dispose: disposable() }) }),
    caught: [NAMES.dispose],
  },
  {
    name: 'has a status of its own',
    made: define(after((_r, _c, made) => ({ ...made, status: 'fine' as never }))),
    caught: [NAMES.shape],
  },
  {
    name: 'answers with a date',
    made: define(after((_r, _c, made) => ({ ...made, output: { at: new Date(0) } as never }))),
    caught: [NAMES.shape],
  },
  {
    name: 'counts negative tokens',
    made: define(
      after((_r, _c, made) => ({
        ...made,
        usage: { inputTokens: -1, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0, costUsd: null },
      })),
    ),
    caught: [NAMES.shape],
  },
  {
    name: 'does not wait for its events',
    made: define(async (request, context) => {
      void context.emit({ type: 'message', role: 'assistant', text: 'one' }).catch(() => undefined);
      void context.emit({ type: 'message', role: 'assistant', text: 'two' }).catch(() => undefined);
      return goodRun(request, context);
    }),
    caught: [NAMES.durable, NAMES.lost],
  },
  {
    name: 'goes on after an event was lost',
    made: define((request, context) =>
      goodRun(request, { ...context, emit: (event) => context.emit(event).catch(() => undefined) }),
    ),
    caught: [NAMES.lost],
  },
  {
    name: 'waits for something that never comes',
    made: define(() => new Promise(() => {})),
    caught: [NAMES.before, NAMES.during],
  },
  {
    name: 'calls it a success when it is stopped',
    made: define(after((_r, _c, made) => ({ ...made, status: 'success', reason: null }))),
    caught: [NAMES.before, NAMES.during, NAMES.ended, NAMES.missing],
  },
  {
    name: 'starts a process of its own',
    made: define(async (request, context) => {
      await new Promise((resolve) => spawn(process.execPath, ['-e', '0']).once('close', resolve));
      return goodRun(request, context);
    }),
    caught: [NAMES.spawn],
    deadlineMs: 10_000,
  },
  {
    name: 'throws when its program is not there',
    made: define(async (request, context) => {
      const child = context.spawn(spec(request));
      await child.done;
      return goodRun(request, context);
    }),
    caught: [NAMES.missing],
  },
  {
    name: 'puts a key on the command line',
    made: withPlugin(async (plugin, request, context) => {
      await context.spawn(spec(request, [`--key=${plugin.secrets.env('KEY')}`])).done.catch(() => undefined);
      return goodRun(request, context);
    }),
    caught: [NAMES.secret],
  },
  {
    name: 'says a credential in its message, encoded',
    made: withPlugin(async (plugin, request, context) => {
      const secret = await plugin.secrets.credential('team');
      return { ...(await goodRun(request, context)), message: Buffer.from(`x:${secret}`).toString('base64') };
    }),
    caught: [NAMES.secret],
  },
  {
    name: 'writes a key into its log',
    made: withPlugin(async (plugin, request, context) => {
      context.log.debug('starting', { key: plugin.secrets.env('KEY') });
      return goodRun(request, context);
    }),
    caught: [NAMES.secret],
  },
];

describe('the suite of executors', () => {
  it('holds for one that keeps the contract, and exercises every case', async () => {
    const good = defineExecutor({ create: () => ({ run: goodRun, dispose: async () => {} }) });

    expect(await runCases(executorConformance(good, fixtures))).toEqual({ failed: {}, notExercised: [] });
  });

  it('says which cases found nothing to check', async () => {
    const echo = define(async (request) => result({ output: request.statement }));

    const { failed, notExercised } = await runCases(executorConformance(echo, {}));

    expect(failed).toEqual({});
    expect(notExercised).toEqual([NAMES.dispose, NAMES.durable, NAMES.lost, NAMES.missing, NAMES.ended]);
  });

  it.each(MUTANTS)('catches one that $name', async ({ made, caught, deadlineMs }) => {
    const { failed } = await runCases(
      executorConformance(made, { ...fixtures, deadlineMs: deadlineMs ?? DEADLINE_MS }),
    );

    expect(Object.keys(failed)).toEqual(expect.arrayContaining([...caught]));
  });

  it('has a mutant for every case', () => {
    const cases = executorConformance(define(goodRun)).map(({ name }) => name);

    expect([...new Set(MUTANTS.flatMap(({ caught }) => caught))].sort()).toEqual([...cases].sort());
  });
});
