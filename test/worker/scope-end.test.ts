import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Executor } from '../../src/domain/ports/executor.js';
import { createProcesses } from '../../src/system/processes/processes.js';
import { readWorkerHost } from '../../src/system/worker-host.js';
import { createWorktrees } from '../../src/system/worktrees/worktrees.js';
import { committing, lawfulWorlds, payloadsOf } from '../engine/laws.js';
import { processesWith, until } from '../support/processes.js';
import { createRepository, type TestRepository } from '../support/repository.js';
import { agent, call, commandSkill, type World, type WorldOptions } from '../support/run-world.js';

const open = lawfulWorlds();
let repository: TestRepository;
beforeEach(() => {
  repository = createRepository({ 'a.txt': 'a\n' });
});
afterEach(() => repository.dispose());

/** Starts a shell that has a grandchild in a group of its own, and waits for it. */
const stubborn = (mark: string): string => `setsid sleep 600 & sleep 600 & wait # ${mark}`;

const sessions: Executor = {
  run: async (request, context) => {
    const child = context.spawn({
      argv: ['sh', '-c', stubborn(String(request.config.mark))],
      cwd: request.sandboxRoot,
      env: { ...context.env, MARK: String(request.config.mark) },
      stdin: '',
      maxLineBytes: 1000,
      stderrTailBytes: 1000,
      idleTimeoutMs: null,
      timeoutMs: null,
      maxOutputBytes: null,
    });
    for await (const _line of child.lines);
    const { exitCode, signal, stderrTail } = await child.done;
    return { status: 'failure', reason: 'ended', message: '', output: null, usage: null, exitCode, signal, stderrTail };
  },
};

describe('three children side by side, in a harness, in a tool and at a model', () => {
  interface Scene {
    readonly world: World;
    readonly mark: string;
    /** Processes of the run at the moment its end was handed to the store. */
    readonly atEnd: (readonly number[])[];
  }

  async function scene(
    third: (world: () => World, signal: AbortSignal) => ReturnType<WorldOptions['script']>,
    more: Partial<WorldOptions> = {},
  ): Promise<Scene> {
    const mark = randomUUID();
    const atEnd: (readonly number[])[] = [];
    const plugin = agent('session', {
      executor: { kind: 'plugin', ref: 'sessions', config: { mark }, onInDoubt: 'repeat' },
    });
    const world: World = await open({
      root: agent('root', { role: 'root', children: [plugin, agent('tooled', { skills: ['hold'] }), agent('third')] }),
      skills: [commandSkill('hold', ['sh', '-c', stubborn(mark)])],
      executor: sessions,
      script: ({ agent: id, signal }) => {
        if (id === 'root')
          return ['session', 'tooled', 'third'].map((child) => call(`delegate_to_${child}`, { task: 'x' }));
        return id === 'tooled' ? [call('hold', { input: '' })] : third(() => world, signal);
      },
      facilities: () => ({
        processes: createProcesses({ graceMs: 400, drainMs: 300 }),
        worktrees: createWorktrees({ env: repository.env, owner: readWorkerHost(), tempRoot: repository.temp }),
        workspaceRoot: repository.root,
        childEnv: { ...repository.env, MARK: mark },
      }),
      wrap: (stores) =>
        committing(stores, (fence, writes) => {
          if (writes.some((write) => write.op === 'run.ended')) atEnd.push(processesWith(mark));
          return stores.runs.commit(fence, writes);
        }),
      ...more,
    });
    return { world, mark, atEnd };
  }

  /** Both shells run, with two sleeps each. */
  const bothRun = (mark: string): Promise<void> =>
    until('both shells run with their children', () => processesWith(mark).length >= 6);

  /** `kept`: worktrees of a run that can go on. */
  const nothingRuns = ({ mark, atEnd }: Scene, kept = 0): void => {
    expect(atEnd).toEqual([[]]);
    expect(processesWith(mark)).toEqual([]);
    expect(readdirSync(repository.temp)).toHaveLength(kept);
  };

  it('a failure of one ends the others before the end is written', async () => {
    let mark = '';
    const made = await scene(async () => {
      await bothRun(mark);
      return { ok: false, failure: { kind: 'auth', message: 'no', status: 401, retryAfterMs: null } };
    });
    mark = made.mark;

    await made.world.run();

    expect(await made.world.row()).toMatchObject({ status: 'failed', reason: 'provider.auth' });
    expect(payloadsOf(await made.world.events(), 'executor.result')).toHaveLength(1);
    nothingRuns(made);
  });

  it('a timeout ends all of them before the end is written', async () => {
    const made = await scene(
      async (_world, signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        return 'late';
      },
      { timeoutMs: 2000 },
    );

    await made.world.run();

    expect(await made.world.row()).toMatchObject({ status: 'failed', reason: 'timeout' });
    nothingRuns(made);
  });

  it('an abort ends all of them before the end is written', async () => {
    const abort = new AbortController();
    let mark = '';
    const made = await scene(async () => {
      await bothRun(mark);
      abort.abort();
      return 'late';
    });
    mark = made.mark;

    await made.world.run({ abort: abort.signal });

    expect(await made.world.row()).toMatchObject({ status: 'stopped', reason: 'interrupted' });
    nothingRuns(made, 1);
  });

  it('a stop waits for what is in flight and starts nothing more', async () => {
    const go = join(repository.base, 'go');
    const waitForGo = ['sh', '-c', `while [ ! -e ${go} ]; do sleep 0.02; done; echo ok`];
    const made = await scene(
      async (world) => {
        await world().requestStop();
        writeFileSync(go, '');
        return 'third is done';
      },
      {
        skills: [commandSkill('hold', waitForGo)],
        executor: {
          run: async (_request, context) => {
            await until('the stop is there', () => existsSync(go));
            await context.emit({ type: 'message', role: 'assistant', text: 'still here' });
            return {
              status: 'success',
              reason: null,
              message: '',
              output: 'session is done',
              usage: null,
              exitCode: 0,
              signal: null,
              stderrTail: '',
            };
          },
        },
      },
    );

    await made.world.run();

    expect(await made.world.row()).toMatchObject({ status: 'stopped', reason: 'stop_requested' });
    const completed = payloadsOf(await made.world.events(), 'agent.completed').map((payload) => payload.activation);
    expect(completed.toSorted()).toEqual(['root/d0/t0/c0:session', 'root/d0/t0/c2:third']);
    expect(payloadsOf(await made.world.events(), 'skill.executed')).toMatchObject([{ status: 'ok' }]);
    nothingRuns(made);
  });
});
