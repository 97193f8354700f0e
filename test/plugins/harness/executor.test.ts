import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contribution } from '../../../plugins/harness/src/executor.js';
import { createTestContext } from '../../../src/domain/testing.js';
import type { ExecutorRequest, ExecutorResult, JsonObject, PluginContext } from '../../../src/sdk/plugin.js';
import { buildTestRunner } from './build-test-runner.js';
import { recorder } from './fake-spawn.js';
import { bundledSpec } from './replay.js';
import { cleanEnv, makeProject } from './test-project.js';

let home: string;
let programs: string;

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'kit-harness-')));
  programs = buildTestRunner(join(home, 'plugin'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const plugin = (secrets: Partial<PluginContext['secrets']> = {}): PluginContext => ({
  ...createTestContext(),
  ...recorder({}).context,
  fetch: globalThis.fetch,
  plugin: { name: '@kit-run/plugin-harness', version: '0.1.0' },
  secrets: { credential: async (ref) => `secret of ${ref}`, env: () => null, ...secrets },
});

interface Given {
  readonly adapter: JsonObject | null;
  readonly statement?: string;
  readonly config?: JsonObject;
  readonly budget?: Partial<ExecutorRequest['budget']>;
  readonly resumeToken?: string;
  readonly sandboxRoot?: string;
  readonly secrets?: Partial<PluginContext['secrets']>;
  readonly env?: Readonly<Record<string, string>>;
}

async function run(given: Given): Promise<{
  readonly result: ExecutorResult;
  readonly events: readonly unknown[];
  readonly spawned: ReturnType<typeof recorder>['spawned'];
}> {
  const { context, events, spawned } = recorder({ PATH: process.env.PATH ?? '', ...given.env });
  const executor = await contribution.create({}, plugin(given.secrets));
  const result = await executor.run(
    {
      agentId: 'worker',
      statement: given.statement ?? 'do it',
      config: given.config ?? {},
      adapter: given.adapter,
      sandboxRoot: given.sandboxRoot ?? home,
      baseCommit: null,
      resumeToken: given.resumeToken ?? null,
      stepId: 'step',
      budget: { maxCostUsd: null, maxTurns: null, maxWallClockMs: null, maxIdleMs: 20_000, ...given.budget },
    },
    context,
  );
  return { result, events, spawned };
}

/** An adapter for a Node script that plays a harness; `say` prints an object as a line. */
function scripted(script: string, more: JsonObject = {}, launch: JsonObject = {}): JsonObject {
  return {
    launch: {
      command: [
        '{runtime.node}',
        '-e',
        `const say = (x) => console.log(JSON.stringify(x)); ${script}`,
        '{task.statement}',
      ],
      ...launch,
    },
    stream: { format: 'jsonl' },
    event_map: [
      { when: { type: 'text' }, emit: [{ event: 'message', with: { text: '$.text' } }] },
      {
        when: { type: 'call' },
        emit: [{ event: 'tool_call', with: { id: '$.id', tool: '$.tool', status: '$.status' } }],
      },
      { when: { type: 'cost' }, emit: [{ event: 'usage', with: { cost_usd: '$.usd' } }] },
      { when: { type: 'done' }, emit: [{ event: 'result', with: { status: 'success', output: '$.text' } }] },
    ],
    ...more,
  };
}

describe('launching', () => {
  it('expands each template once, so that braces of a statement stay as they are', async () => {
    const adapter = scripted("say({type: 'done', text: process.argv.slice(1)})");

    const { result } = await run({ adapter, statement: 'say {config.secret} $(id)', config: { secret: 'x' } });

    expect(result.output).toEqual(['say {config.secret} $(id)']);
  });

  it('adds groups whose variable is set, resume arguments with a token alone, and arguments of the auth mode, in this order', async () => {
    const adapter = scripted(
      "say({type: 'done', text: process.argv.slice(1)})",
      {
        resume: { arg: ['--resume', '{resume.token}'] },
        auth: { default: 'subscription', modes: { subscription: { args: ['--sub'] } } },
      },
      {
        optional_args: [
          { when: 'config.model', args: ['--model', '{config.model}'] },
          { when: 'budget.max_turns', args: ['--turns', '{budget.max_turns}'] },
        ],
      },
    );

    const anew = await run({ adapter, config: { model: 'm' } });
    const resumed = await run({ adapter, budget: { maxTurns: 5 }, resumeToken: 'ses-1' });

    expect(anew.result.output).toEqual(['do it', '--model', 'm', '--sub']);
    expect(resumed.result.output).toEqual(['do it', '--turns', '5', '--resume', 'ses-1', '--sub']);
  });

  it('gives the child the allowed environment, without other modes variables, and lets no empty value overwrite', async () => {
    const adapter = scripted(
      "say({type: 'done', text: process.env.KEY + ' ' + process.env.OTHER + ' ' + process.env.EMPTY})",
      {
        auth: {
          default: 'api_key',
          modes: { api_key: { env: { KEY: '{credential.model_provider}' } }, subscription: { env: { OTHER: 'o' } } },
        },
      },
      { env: { EMPTY: '{config.nothing}' } },
    );

    const { result, spawned } = await run({
      adapter,
      env: { KEY: 'inherited', OTHER: 'leaks', EMPTY: 'kept' },
      secrets: { env: (name) => (name === 'KEY' ? 'k3y' : null) },
    });

    expect(result.output).toBe('k3y undefined kept');
    expect(spawned[0]?.argv.join(' ')).not.toContain('k3y');
  });

  it('takes the named credential of the workspace before the environment', async () => {
    const adapter = scripted("say({type: 'done', text: process.env.KEY})", {
      auth: { modes: { api_key: { env: { KEY: '{credential.model_provider}' } } } },
    });

    const { result } = await run({ adapter, config: { credentials_ref: 'ref' }, secrets: { env: () => 'other' } });

    expect(result.output).toBe('secret of ref');
  });

  it('hands a statement over by stdin where the adapter says so', async () => {
    const adapter = scripted(
      "let s = ''; process.stdin.on('data', (d) => s += d).on('end', () => say({type: 'done', text: s.length}))",
      {},
      {
        command: [
          '{runtime.node}',
          '-e',
          "let s = ''; process.stdin.on('data', (d) => s += d).on('end', () => console.log(JSON.stringify({type: 'done', text: s.length})))",
        ],
        stdin: '{task.statement}',
      },
    );

    const { result } = await run({ adapter, statement: 'x'.repeat(300_000) });

    expect(result.output).toBe(300_000);
  });

  it.each([
    ['no adapter', { adapter: null }, 'no_adapter'],
    ['nothing to do', { adapter: scripted(''), statement: ' ' }, 'empty_statement'],
    [
      'an adapter with an unknown variable',
      { adapter: scripted('', {}, { command: ['x', '{task.nope}'] }) },
      'adapter_invalid',
    ],
    [
      'a program that is not there',
      { adapter: scripted('', {}, { command: ['no-such-harness'] }) },
      'command_not_found',
    ],
    [
      'a statement over the size of an argument',
      { adapter: scripted(''), statement: 'x'.repeat(200_000) },
      'argument_too_long',
    ],
    [
      'a missing key',
      { adapter: scripted('', { auth: { modes: { api_key: { env: { KEY: '{credential.model_provider}' } } } } }) },
      'credential_missing',
    ],
    ['an unknown auth mode', { adapter: bundledSpec('codex'), config: { auth_mode: 'magic' } }, 'auth_mode_unknown'],
  ])('refuses %s with a reason', async (_what, given, reason) => {
    const { result } = await run(given);

    expect(result).toMatchObject({ status: 'failure', reason, message: expect.stringMatching(/./) });
  });
});

describe('reading and ending', () => {
  it('counts nothing that an opaque harness says of its cost', async () => {
    const script = "say({type: 'cost', usd: 5}); say({type: 'done', text: 'paid'})";
    const reported = await run({ adapter: scripted(script) });
    const unreported = await run({ adapter: scripted(script, { telemetry_grade: 'opaque' }) });

    expect(reported.result).toMatchObject({ status: 'success', usage: { costUsd: 5 } });
    expect(unreported.result).toMatchObject({ status: 'success', output: 'paid', usage: null });
  });

  it('records events in order before the end and reads to the end after a result', async () => {
    const adapter = scripted(
      "say({type: 'done', text: 'early'}); setTimeout(() => { say({type: 'text', text: 'hello'}); say({type: 'done', text: 'late'}) }, 50)",
    );

    const { result, events } = await run({ adapter });

    expect(result).toMatchObject({ status: 'success', output: 'late' });
    expect(events).toEqual([{ type: 'message', role: 'assistant', text: 'hello' }]);
  });

  it.each([
    ['no terminal event', "say({type: 'text', text: 'x'})", 'failure', 'no_terminal_event'],
    ['exit 1 after success', "say({type: 'done'}); process.exitCode = 1", 'failure', 'exit_code'],
  ])('takes %s as failure', async (_what, script, status, reason) => {
    expect((await run({ adapter: scripted(script) })).result).toMatchObject({ status, reason });
  });

  it('ends a harness that is silent for too long', async () => {
    const { result } = await run({
      adapter: scripted("say({type: 'text', text: 'x'}); setTimeout(() => {}, 60000)"),
      budget: { maxIdleMs: 150 },
    });

    expect(result).toMatchObject({ status: 'stalled', reason: 'idle', signal: 'SIGTERM' });
  });

  it('counts an open tool call as activity', async () => {
    const script =
      "say({type: 'call', id: '1', tool: 't'}); setTimeout(() => { say({type: 'call', id: '1', status: 'ok'}); say({type: 'done', text: 'x'}) }, 2500)";

    const { result } = await run({ adapter: scripted(script), budget: { maxIdleMs: 1500 } });

    expect(result.status).toBe('success');
  });

  it('ends a harness at its wall clock although it talks', async () => {
    const { result } = await run({
      adapter: scripted("setInterval(() => say({type: 'text', text: 'x'}), 20)"),
      budget: { maxWallClockMs: 300 },
    });

    expect(result).toMatchObject({ status: 'budget_exceeded', reason: 'wall_clock' });
  });

  it('ends a harness that takes too many turns or costs too much', async () => {
    const turns =
      "for (const id of [1, 2, 3]) { say({type: 'call', id: String(id), tool: 't'}); say({type: 'call', id: String(id), status: 'ok'}) } setTimeout(() => {}, 60000)";
    const cost = "say({type: 'cost', usd: 0.3}); say({type: 'cost', usd: 0.3}); setTimeout(() => {}, 60000)";

    expect((await run({ adapter: scripted(turns), budget: { maxTurns: 2 } })).result).toMatchObject({
      status: 'budget_exceeded',
      reason: 'max_turns',
    });
    expect((await run({ adapter: scripted(cost), budget: { maxCostUsd: 0.5 } })).result).toMatchObject({
      status: 'budget_exceeded',
      reason: 'max_cost',
      usage: { costUsd: 0.6 },
    });
  });
});

describe('the bundled test-runner', () => {
  const TESTS =
    "import test from 'node:test'; import assert from 'node:assert'; test('holds', () => {}); test('breaks', () => assert.ok(false));";

  /** As bundled, with the freshly compiled wrapper in the place of the plugin's folder. */
  function adapter(): JsonObject {
    return JSON.parse(JSON.stringify(bundledSpec('test-runner')).replaceAll('{runtime.harness}', programs));
  }

  it('turns failing tests into a successful run whose result says so', async () => {
    const project = makeProject({
      'package.json': JSON.stringify({ scripts: { test: 'node --test' } }),
      'a.test.mjs': TESTS,
    });

    const { result, events } = await run({
      adapter: adapter(),
      sandboxRoot: project.root,
      env: cleanEnv(project.root) as Record<string, string>,
    });
    project.remove();

    expect(result).toMatchObject({ status: 'success', exitCode: 0, usage: { costUsd: 0, inputTokens: 0 } });
    expect(result.outcome).toEqual({ passed: false, text: '1 of 2 failed, exit code 1' });
    expect(result.output).toMatchObject({
      type: 'summary',
      command: 'npm test',
      total: 2,
      passed: 1,
      failed: 1,
      outcome: 'failed',
      exit_code: 1,
    });
    expect(events).toEqual([
      { type: 'tool_call', tool: 'test', summary: 'a.test.mjs > holds', status: 'ok' },
      { type: 'tool_call', tool: 'test', summary: 'a.test.mjs > breaks', status: 'error' },
    ]);
  });

  it.each([
    ['a line', 'node --test a.test.mjs'],
    ['a list', ['node', '--test', 'a.test.mjs']],
  ])('takes the command from the configuration as %s', async (_what, command) => {
    const project = makeProject({ 'a.test.mjs': TESTS });

    const { result } = await run({
      adapter: adapter(),
      config: { command },
      sandboxRoot: project.root,
      env: cleanEnv(project.root) as Record<string, string>,
    });
    project.remove();

    expect(result.output).toMatchObject({ command: 'node --test a.test.mjs', total: 2, failed: 1 });
  });

  it('runs the tests of the repository when the workspace lies in a folder of it', async () => {
    const project = makeProject({
      'package.json': JSON.stringify({ scripts: { test: 'node --test' } }),
      'a.test.mjs': TESTS,
      'kit/workspace.yaml': '',
      '.git': '',
    });

    const { result } = await run({
      adapter: adapter(),
      sandboxRoot: join(project.root, 'kit'),
      env: cleanEnv(project.root) as Record<string, string>,
    });
    project.remove();

    expect(result.output).toMatchObject({ total: 2, failures: [{ file: 'a.test.mjs' }] });
  });

  it.each([
    ['a repository without tests', {}, {}, 'failure', 'no_test_command'],
    ['a program that is not there', { command: 'no-such-program' }, {}, 'failure', 'command_not_found'],
    ['a command that never ends', { command: 'sleep 600' }, { maxIdleMs: 300 }, 'stalled', 'idle'],
    [
      'a command that never ends and talks',
      { command: ['sh', '-c', 'while :; do echo x; sleep 0.05; done'] },
      { maxWallClockMs: 700 },
      'budget_exceeded',
      'wall_clock',
    ],
  ])('fails for %s', async (_what, config, budget, status, reason) => {
    const project = makeProject({});
    const temp = mkdtempSync(join(home, 'temp-'));

    const { result } = await run({
      adapter: adapter(),
      config,
      budget,
      sandboxRoot: project.root,
      env: { ...(cleanEnv(project.root) as Record<string, string>), TMPDIR: temp },
    });
    project.remove();

    expect(result).toMatchObject({ status, reason });
    expect(readdirSync(temp)).toEqual([]);
  });
});
