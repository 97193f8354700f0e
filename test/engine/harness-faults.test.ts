import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/domain/json.js';
import type { Worktrees } from '../../src/domain/ports/worktrees.js';
import { readWorkerHost } from '../../src/system/worker-host.js';
import { createWorktrees } from '../../src/system/worktrees/worktrees.js';
import { isRunning } from '../support/processes.js';
import { agent, call } from '../support/run-world.js';
import { adapter, harness, harnessWorlds } from './harness-world.js';
import { failedSteps, payloadsOf } from './laws.js';

const { open, started, run, nothingLeft, repository } = harnessWorlds();

interface Fault {
  readonly name: string;
  readonly adapter: JsonObject;
  readonly budget?: JsonObject;
  readonly reason: string;
  readonly status?: string;
  readonly exit: { readonly returncode: number | null; readonly signal: string | null };
  readonly stderr?: string;
}

describe('a fault of a harness', () => {
  const faults: readonly Fault[] = [
    {
      name: 'exit 0 without a terminal event',
      adapter: adapter('say({type: "text", text: "all is well"}); process.stderr.write("mumble")'),
      reason: 'no_terminal_event',
      exit: { returncode: 0, signal: null },
      stderr: 'mumble',
    },
    {
      name: 'exit 1 after success',
      adapter: adapter('done("fine"); process.stderr.write("but then"); process.exitCode = 1'),
      reason: 'exit_code',
      exit: { returncode: 1, signal: null },
      stderr: 'but then',
    },
    {
      name: 'exit 3 without a word',
      adapter: adapter('process.exit(3)'),
      reason: 'exit_code',
      exit: { returncode: 3, signal: null },
    },
    {
      name: 'a line of 20 MB',
      adapter: adapter(
        'fs.writeSync(1, "{\\"type\\":\\"text\\",\\"text\\":\\""); const mb = "x".repeat(1 << 20); for (let i = 0; i < 20; i++) { let at = 0; while (at < mb.length) { try { at += fs.writeSync(1, mb.slice(at)); } catch (e) { if (e.code !== "EAGAIN") throw e; } } } fs.writeSync(1, "\\"}\\n"); done("fine"); setTimeout(() => {}, 60000)',
      ),
      reason: 'line_too_long',
      exit: { returncode: null, signal: 'SIGTERM' },
    },
    {
      name: 'silence',
      adapter: adapter('say({type: "text", text: "hm"}); setTimeout(() => {}, 60000)'),
      budget: { max_idle_seconds: 0.6 },
      reason: 'idle',
      status: 'stalled',
      exit: { returncode: null, signal: 'SIGTERM' },
    },
    {
      name: 'silence that ignores TERM',
      // A shell: it ignores TERM before a busy machine has let the silence last too long.
      adapter: adapter('', ['/bin/sh', '-c', 'trap "" TERM; exec sleep 60']),
      budget: { max_idle_seconds: 0.8 },
      reason: 'idle',
      status: 'stalled',
      exit: { returncode: null, signal: 'SIGKILL' },
    },
    {
      name: 'talk beyond the wall clock',
      adapter: adapter('setInterval(() => say({type: "text", text: "and"}), 50)'),
      budget: { max_wall_clock_minutes: 0.02 },
      reason: 'wall_clock',
      status: 'budget_exceeded',
      exit: { returncode: null, signal: 'SIGTERM' },
    },
    {
      name: 'a command that does not exist',
      adapter: adapter('', ['/no/such/program', '{task.statement}']),
      reason: 'command_not_found',
      exit: { returncode: null, signal: null },
    },
    {
      name: 'death by a signal',
      adapter: adapter('done("fine"); process.kill(process.pid, "SIGKILL"); setTimeout(() => {}, 60000)'),
      reason: 'signal',
      exit: { returncode: null, signal: 'SIGKILL' },
    },
    {
      name: 'an adapter that cannot be read',
      adapter: { launch: {} },
      reason: 'adapter_invalid',
      exit: { returncode: null, signal: null },
    },
  ];

  it.each(faults)(
    '$name fails the run with executor.$reason, and leaves its exit, its stderr and nothing else behind',
    async (fault) => {
      const { reason, status = 'failure', exit, stderr } = fault;

      const world = await run({ adapter: fault.adapter, root: harness('root', { role: 'root' }, fault.budget) });

      expect(await world.row()).toMatchObject({ status: 'failed', reason: `executor.${reason}`, output: null });
      expect(await failedSteps(world)).toEqual({ 'root/d0/x': `executor.${reason}`, root: `executor.${reason}` });
      const results = payloadsOf(await world.events(), 'executor.result');
      expect(results).toHaveLength(1);
      expect(results[0]).toMatchObject({ status, reason, exit_metadata: exit });
      if (stderr !== undefined) expect(results[0]?.exit_metadata).toMatchObject({ stderr_tail: stderr });
      nothingLeft();
    },
  );

  it('UTF-8 that is split in the middle of a character arrives whole', async () => {
    const script =
      'const b = Buffer.from(JSON.stringify({type: "done", text: "grüße 🌍"}) + "\\n"); let i = 0; const next = () => { if (i < b.length) { fs.writeSync(1, b.subarray(i, ++i)); setTimeout(next, 1); } }; next()';

    const world = await run({ adapter: adapter(script) });

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'grüße 🌍' });
    nothingLeft();
  });

  it('a grandchild that holds the pipe does not hold the run, and does not outlive it', async () => {
    const script =
      'const { spawn } = require("child_process"); const c = spawn("sleep", ["600"], { stdio: "inherit", detached: true }); c.unref(); say({type: "text", text: String(c.pid)}); done(String(c.pid)); process.exit(0)';

    const world = await run({ adapter: adapter(script) });

    const row = await world.row();
    expect(row.status).toBe('completed');
    expect(isRunning(Number(row.output))).toBe(false);
    nothingLeft();
  });

  it('keeps the partial diff of a session that failed, and the whole of one that succeeded', async () => {
    const failing = await run({ adapter: adapter('fs.writeFileSync("a.txt", "half\\n"); process.exit(2)') });
    const working = await run({ adapter: adapter('fs.writeFileSync("b.txt", "new\\n"); done("fine")') });

    expect((await failing.stores.jobs.diffs(failing.job.id))?.root).toContain('+half');
    expect((await working.stores.jobs.diffs(working.job.id))?.root).toContain('+new');
    expect(payloadsOf(await failing.events(), 'executor.result')[0]?.diff_bytes).toBeGreaterThan(10);
    expect(repository().read('a.txt')).toBe('a\n');
    nothingLeft();
  });

  it('says that a diff cannot be read instead of taking the session for done', async () => {
    const unreadable = (real: Worktrees): Worktrees => ({
      ...real,
      create: async (request) => {
        const worktree = await real.create(request);
        return { ...worktree, diff: () => Promise.reject(new Error('git is gone')) };
      },
    });

    const world = await run({ adapter: adapter('done("fine")'), worktrees: unreadable });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'executor.diff_unreadable' });
    expect(payloadsOf(await world.events(), 'executor.result')).toMatchObject([
      { status: 'failure', reason: 'diff_unreadable', exit_metadata: { returncode: 0 } },
    ]);
    nothingLeft();
  });

  it('refuses to run where there is no repository', async () => {
    const worktrees = createWorktrees({ env: repository().env, owner: readWorkerHost(), tempRoot: repository().temp });

    const world = await run({
      adapter: adapter('done("fine")'),
      worktrees: () => ({
        ...worktrees,
        create: (request) => worktrees.create({ ...request, repository: repository().temp }),
      }),
    });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'sandbox_unavailable' });
  });

  it('fails the parent with the reason of the child, and no model reads what it said', async () => {
    const requests: string[] = [];
    const world = await run({
      adapter: adapter('say({type: "text", text: "telltale"}); process.stderr.write("telltale"); process.exit(2)'),
      root: agent('root', { role: 'root', children: [harness('coder'), agent('other')] }),
      script: async ({ agent: id, turn, request, signal }) => {
        requests.push(JSON.stringify(request.messages));
        if (id === 'root' && turn === 0)
          return [call('delegate_to_coder', { task: 'code' }), call('delegate_to_other', { task: 'wait' })];
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        return 'never';
      },
    });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'executor.exit_code', output: null });
    expect(requests.join('')).not.toContain('telltale');
    nothingLeft();
  });
});

describe('the answer of a harness', () => {
  const outputSchema = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } };

  it('may be JSON inside its last text, and is held to the schema', async () => {
    const world = await run({
      adapter: adapter('done("Here it is:\\n```json\\n{\\"n\\": 4}\\n```")'),
      root: harness('root', { role: 'root', outputSchema }),
    });

    expect(await world.row()).toMatchObject({ status: 'completed', output: '{"n":4}' });
  });

  it('is asked for again with its errors, twice, and then fails', async () => {
    const right = 'done(process.argv.at(-1).includes("/n: must be number") ? {n: 1} : {n: "one"})';

    const corrected = await run({ adapter: adapter(right), root: harness('root', { role: 'root', outputSchema }) });
    const hopeless = await run({
      adapter: adapter('done({n: "one"})'),
      root: harness('root', { role: 'root', outputSchema }),
    });

    expect(await corrected.row()).toMatchObject({ status: 'completed', output: '{"n":1}' });
    expect(await hopeless.row()).toMatchObject({ status: 'failed', reason: 'output_invalid' });
    expect(payloadsOf(await hopeless.events(), 'executor.result')).toHaveLength(3);
    nothingLeft();
  });
});

describe('an executor plugin that misbehaves', () => {
  it.each([
    {
      name: 'throws',
      run: async () => {
        throw new Error('bug');
      },
      reason: 'executor.executor_threw',
    },
    { name: 'hands back nothing', run: async () => undefined, reason: 'executor.unknown_status' },
    {
      name: 'invents a status',
      run: async () => ({ status: 'splendid', output: 'x' }),
      reason: 'executor.unknown_status',
    },
  ])('fails the run when it $name, with its executor.result', async ({ run: misbehave, reason }) => {
    const world = await started({ adapter: adapter('') });
    const executor = { run: () => misbehave() as never };

    const other = await open({
      root: harness('root', { role: 'root' }),
      script: () => '',
      facilities: () => ({ ...world.facilities, executor: async () => executor }),
    });
    await world.run();
    await other.run();

    expect(await other.row()).toMatchObject({ status: 'failed', reason });
    expect(payloadsOf(await other.events(), 'executor.result')).toHaveLength(1);
    nothingLeft();
  });

  it('whose usage is not a number costs an unknown amount, never nothing', async () => {
    const result = {
      status: 'success',
      reason: null,
      message: '',
      output: 'x',
      usage: { inputTokens: Number.NaN, costUsd: 0 },
      exitCode: 0,
      signal: null,
      stderrTail: '',
    };
    const world = await started({ adapter: adapter('done("x")') });
    const executor = { run: async () => result as never };

    const other = await open({
      root: harness('root', { role: 'root' }),
      script: () => '',
      facilities: () => ({ ...world.facilities, executor: async () => executor }),
    });
    await world.run();
    await other.run();

    expect(await other.row()).toMatchObject({ status: 'completed', usage: { inputTokens: 0, costUsd: null } });
  });
});

describe('an executor of a plugin', () => {
  it('that says something after its session has ended is not heard any more, and the run goes on', async () => {
    let sayLate = async (): Promise<unknown> => undefined;
    const world = await started({
      adapter: {},
      root: agent('root', {
        role: 'root',
        children: [agent('coder', { executor: { kind: 'plugin', ref: 'own', config: {}, onInDoubt: 'repeat' } })],
      }),
      script: async ({ turn }) => {
        // The model is asked again once the session is over.
        if (turn > 0) await sayLate();
        return turn === 0 ? [call('delegate_to_coder', { task: 'x' })] : 'told';
      },
      facilities: () => ({
        executor: async () => ({
          run: async (_request, context) => {
            sayLate = () =>
              context.emit({ type: 'message', role: 'assistant', text: 'too late' }).catch(() => undefined);
            return {
              status: 'success',
              output: 'done',
              message: '',
              reason: null,
              usage: null,
              exitCode: 0,
              signal: null,
              stderrTail: '',
            };
          },
        }),
        worktrees: createWorktrees({ env: repository().env, owner: readWorkerHost(), tempRoot: repository().temp }),
        workspaceRoot: repository().root,
      }),
    });

    await world.run();

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'told' });
    expect(payloadsOf(await world.events(), 'executor.message')).toEqual([]);
  });
});
