import { appendFileSync } from 'node:fs';
import type { RoleDirectory } from '../../src/domain/gates.js';
import type { Json, JsonObject } from '../../src/domain/json.js';
import type { Executor } from '../../src/domain/ports/executor.js';
import type { ModelProvider } from '../../src/domain/ports/model.js';
import { breachOf } from '../../src/govern/limits.js';
import { loadJsonSchemas } from '../../src/lib/json-schema.js';
import { createProcesses } from '../../src/system/processes/processes.js';
import { readWorkerHost } from '../../src/system/worker-host.js';
import { createWorktrees } from '../../src/system/worktrees/worktrees.js';
import type { RunFacilities } from '../../src/worker/facilities.js';
import { type CrashScenario, FAMILY, PATIENT, TELL } from './crash-topology.js';

export interface CrashFacilitiesOptions {
  /** The repository that is the workspace. */
  readonly workspaceRoot: string;
  /** Worktrees and private home lie here. */
  readonly tempRoot: string;
  readonly provider: ModelProvider;
  readonly executor: Executor;
  /** On top of PATH and HOME, for every child. */
  readonly env: Readonly<Record<string, string>>;
  readonly graceMs?: number;
  /** Who may sign; default: nobody. */
  readonly roles?: RoleDirectory;
}

/** Real processes and worktrees; only model, executor and governance are scripts. */
export function crashFacilities(options: CrashFacilitiesOptions): RunFacilities {
  const { workspaceRoot, tempRoot, provider, executor } = options;
  const env = { PATH: process.env.PATH ?? '', HOME: tempRoot, GIT_CONFIG_NOSYSTEM: '1', ...options.env };
  const limits = { maxStepsPerAgent: null, maxStepsPerRun: 500, maxCostPerRunUsd: null };
  return {
    provider: async () => provider,
    executor: async () => executor,
    decide: async () => ({ verdict: 'allow' }),
    compressor: async (name) => {
      throw new Error(`there is no compressor ${name} here`);
    },
    strategy: async (name) => {
      throw new Error(`there is no strategy ${name} here`);
    },
    humanScopes: [],
    roles: async () => options.roles ?? { roles: [], identities: [], digest: '' },
    processes: createProcesses(options.graceMs === undefined ? {} : { graceMs: options.graceMs }),
    worktrees: createWorktrees({ env, owner: readWorkerHost(), tempRoot }),
    workspaceRoot,
    childEnv: env,
    commandEnv: async () => ({}),
    toolServer: async () => {
      throw new Error('this world has no tool servers');
    },
    tierNow: () => null,
    closeServers: async () => {},
    validate: async (schema: JsonObject, value: Json) =>
      (await loadJsonSchemas()).validate(schema, value).map(({ pointer, message }) => ({ pointer, message })),
    redactCall: async (_skill, shown) => shown,
    mask: (value) => value,
    breach: (request) => breachOf(limits, request),
    onText: () => {},
    dispose: async () => {},
  };
}

/**
 * The session of the reference run: tells its id, writes a file, reports a tool call and a message.
 * Each line is one event.
 */
const SESSION = `${TELL}begin harness; echo session; at session; printf 'written by the harness\\n' > answer.txt; echo tool; at tool; echo message; at message`;

/** Of scenarios whose harness does something else. */
export const SESSIONS: Partial<Record<CrashScenario, string>> = { family: FAMILY, patient: PATIENT };

/**
 * A harness of one shell script in a real worktree. A line is an event that is durable before the
 * next line is read.
 */
export function scriptExecutor(script: string = SESSION): Executor {
  return {
    run: async (request, context) => {
      const child = context.spawn({
        argv: ['/bin/sh', '-c', script],
        cwd: request.sandboxRoot,
        env: { ...context.env },
        stdin: '',
        maxLineBytes: 10_000,
        stderrTailBytes: 10_000,
        idleTimeoutMs: null,
        timeoutMs: null,
        maxOutputBytes: null,
      });
      for await (const line of child.lines) {
        if (line === 'session') await context.emit({ type: 'session', sessionId: request.resumeToken ?? 'session-1' });
        else if (line === 'tool')
          await context.emit({ type: 'tool_call', tool: 'write', summary: 'answer.txt', status: 'ok' });
        else await context.emit({ type: 'message', role: 'assistant', text: line });
      }
      const done = await child.done;
      const isOk = done.exitCode === 0 && done.ended === null;
      return {
        status: isOk ? 'success' : 'failure',
        reason: isOk ? null : (done.ended ?? 'exit_code'),
        message: done.stderrTail,
        output: 'the session is over',
        usage: { inputTokens: 100, outputTokens: 50, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0.01 },
        exitCode: done.exitCode,
        signal: done.signal,
        stderrTail: done.stderrTail,
      };
    },
  };
}

/** One line on the outside file, as the commands write theirs. */
export function reportEffect(file: string, effect: { readonly stepId: string; readonly name: string }): void {
  appendFileSync(file, `${effect.stepId} ${effect.name} ${process.pid} ${process.pid}\n`);
}
