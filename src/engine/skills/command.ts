import { join } from 'node:path';
import { messageOf } from '../../domain/errors.js';
import type { Json, JsonObject } from '../../domain/json.js';
import type { LinkedCommand } from '../../domain/linked-skill.js';
import type { ProcessResult } from '../../domain/ports/system.js';
import { isLeaseOver, leaveForLease } from '../lease-over.js';
import type { RunServices } from '../services.js';
import { failedEnd } from '../step-ends.js';
import { stepEnv } from '../step-env.js';
import type { StepContext, StepEnd } from '../step-types.js';
import { Unfinished } from '../unfinished.js';
import type { SkillCall } from './skill-call.js';

/**
 * A line of a command's output may be this long; the pack's `max_output_bytes` bounds the whole.
 */
const STDERR_TAIL_BYTES = 8 * 1024;

export interface CommandRun {
  readonly call: SkillCall;
  readonly command: LinkedCommand;
  readonly context: StepContext;
}

/**
 * A local binary of a command pack: argv without a shell, each `{name}` exactly one argument, never
 * split again. Runs under the supervisor of the run; a non-zero exit, too much output or a timeout
 * is a failed call (docs/design/execution.md#commands).
 */
export async function runCommand(services: RunServices, run: CommandRun): Promise<StepEnd<{ output: Json }>> {
  const { call, command, context } = run;
  const argv = fillArgv(command.argv, call.input);
  if (!argv.ok) return failedEnd('invalid_arguments', argv.message);
  const env = {
    ...services.childEnv,
    ...(await services.commandEnv(command, call.key)),
    ...stepEnv(services, { key: call.key, context }),
  };
  const child = services.processes.spawn(
    {
      argv: argv.argv,
      cwd: join(services.workspaceRoot, command.cwd),
      env,
      stdin: '',
      maxLineBytes: command.maxOutputBytes,
      stderrTailBytes: STDERR_TAIL_BYTES,
      idleTimeoutMs: null,
      timeoutMs: command.timeoutMs,
      maxOutputBytes: command.maxOutputBytes,
      stepKey: call.key,
    },
    services.lease,
    services.signal,
  );
  const lines: string[] = [];
  for await (const line of child.lines) lines.push(line);
  const result = await child.done.catch((error: unknown) => spawnFailure(error));
  if (!('spawnError' in result) && isLeaseOver(services, result)) throw leaveForLease(services);
  if (services.signal.aborted) throw new Unfinished('abort');
  return judge(command, { result, lines });
}

type Filled =
  | { readonly ok: true; readonly argv: readonly [string, ...string[]] }
  | { readonly ok: false; readonly message: string };

/** Substitutes `{name}` inside each element, once: a value is never expanded again. */
export function fillArgv(template: readonly string[], input: JsonObject): Filled {
  const missing = new Set<string>();
  const [first, ...rest] = template.map((element) =>
    element.replace(/\{([A-Za-z_][A-Za-z0-9_-]*)\}/g, (_whole, name: string) => {
      const value = input[name];
      if (value === undefined || value === null || typeof value === 'object') missing.add(name);
      return String(value);
    }),
  );
  if (missing.size > 0) return { ok: false, message: `missing or not plain text: ${[...missing].join(', ')}` };
  if (first === undefined) return { ok: false, message: 'the command has no argv' };
  return { ok: true, argv: [first, ...rest] };
}

interface SpawnFailure {
  readonly spawnError: string;
}

function spawnFailure(error: unknown): SpawnFailure {
  return { spawnError: messageOf(error) };
}

function judge(
  command: LinkedCommand,
  ran: { result: ProcessResult | SpawnFailure; lines: readonly string[] },
): StepEnd<{ output: Json }> {
  const { result, lines } = ran;
  if ('spawnError' in result) return failedEnd('command_not_started', result.spawnError);
  const stderr_tail = result.stderrTail.trimEnd();
  // How a process ends that kit ends depends on what it was doing just then: that is not a fact
  // about the command.
  const facts: JsonObject =
    result.ended === null ? { exit_code: result.exitCode, signal: result.signal, stderr_tail } : { stderr_tail };
  switch (result.ended) {
    case 'timeout':
      return failedEnd('timeout', `${command.id} took longer than ${command.timeoutMs} ms`, facts);
    case 'output_too_large':
    case 'line_too_long':
      return failedEnd('output_too_large', `${command.id} wrote more than ${command.maxOutputBytes} bytes`, facts);
    case 'idle':
    case 'aborted':
      return failedEnd('aborted', `${command.id} was ended`, facts);
    case null:
      break;
  }
  if (result.exitCode !== 0)
    return failedEnd(
      'exit_code',
      `${command.id} ended with ${result.exitCode === null ? `signal ${result.signal}` : `exit code ${result.exitCode}`}`,
      facts,
    );
  return parseOutput(command, lines);
}

function parseOutput(command: LinkedCommand, lines: readonly string[]): StepEnd<{ output: Json }> {
  const text = lines.join('\n');
  switch (command.parse) {
    case 'text':
      return { outcome: { status: 'ok', value: { output: text } } };
    case 'lines':
      return { outcome: { status: 'ok', value: { output: [...lines] } } };
    case 'json':
      try {
        return { outcome: { status: 'ok', value: { output: JSON.parse(text) as Json } } };
      } catch {
        return failedEnd('malformed_output', `${command.id} is declared to write JSON, and did not`);
      }
  }
}
