import { KitError } from '../../domain/errors.js';
import { runProgram } from '../run-program.js';

/** No call may hang for ever on a filter, a lock or a prompt. */
const GIT_TIMEOUT_MS = 10 * 60_000;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/**
 * No hook runs, nothing is written in passing (index refresh, maintenance, file monitor), no
 * submodule is touched, and paths in administrative files are absolute, whatever the user's
 * configuration says.
 */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.splitIndex=false',
  'core.untrackedCache=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'color.ui=false',
  'worktree.useRelativePaths=false',
].flatMap((setting) => ['-c', setting]);

export interface GitCall {
  readonly cwd: string;
  /** Only `GIT_*` variables of kit's own; the user's never reach git. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

export interface GitOutput {
  /** -1 when git was killed by a signal or by the time limit. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Git {
  /** Throws KIT_SANDBOX_UNAVAILABLE when there is no git; any exit code is an answer. */
  call(args: readonly string[], call: GitCall): Promise<GitOutput>;
  /** stdout of a call that must succeed; else KIT_SANDBOX_UNAVAILABLE with git's own words. */
  expect(args: readonly string[], call: GitCall): Promise<string>;
}

/** @param env what the user's git may see (PATH, HOME, ...); every `GIT_*` in it is dropped */
export function createGit(env: Readonly<Record<string, string>>, gitPath = 'git'): Git {
  const clean = cleanEnvironment(env);
  const call = (args: readonly string[], request: GitCall): Promise<GitOutput> =>
    runGit(gitPath, args, { ...request, env: { ...clean, ...request.env } });
  const expect = async (args: readonly string[], request: GitCall): Promise<string> => {
    const output = await call(args, request);
    if (output.exitCode === 0) return output.stdout;
    throw new KitError('KIT_SANDBOX_UNAVAILABLE', `git ${args[0] ?? ''} failed: ${lastLine(output.stderr)}`, {
      hint: 'Run the git command of the message by hand and fix what it reports.',
      data: { args, exit_code: output.exitCode },
    });
  };
  return { call, expect };
}

function cleanEnvironment(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_'));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    GIT_LITERAL_PATHSPECS: '0',
  };
}

async function runGit(gitPath: string, args: readonly string[], request: GitCall): Promise<GitOutput> {
  const { code, stdout, stderr, failure } = await runProgram([gitPath, '--no-pager', ...SETTINGS, ...args], {
    cwd: request.cwd,
    env: { ...request.env },
    timeoutMs: GIT_TIMEOUT_MS,
    maxBytes: MAX_OUTPUT_BYTES,
    ...(request.stdin === undefined ? {} : { input: request.stdin }),
  });
  if (failure?.isAbsent === true) throw noGit(failure.cause);
  return { exitCode: code ?? -1, stdout, stderr: failure !== null && stderr === '' ? failure.message : stderr };
}

function noGit(cause: unknown): KitError {
  return new KitError('KIT_SANDBOX_UNAVAILABLE', 'git was not found on PATH', {
    hint: 'Install git and make sure that it is on PATH: harness agents work in git worktrees.',
    cause,
  });
}

/** The line that says what went wrong; git puts its advice after it, each line marked `hint:`. */
export function lastLine(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('hint:'));
  return lines.find((line) => /^(fatal|error):/.test(line)) ?? lines.at(-1) ?? 'no message';
}
