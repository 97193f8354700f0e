import type { ProgramEnd } from '../domain/ports/programs.js';

const MAX_BYTES = 64 * 1024 * 1024;

export interface ProgramCall {
  /** Default: where kit runs. */
  readonly cwd?: string;
  /** All that the program sees of the environment. */
  readonly env: NodeJS.ProcessEnv;
  /** Null = however long it takes. */
  readonly timeoutMs: number | null;
  /** Sent when the time is over; five seconds later the program is killed. Default TERM. */
  readonly killSignal?: 'SIGTERM' | 'SIGKILL';
  /** Of either stream; with more the program is ended. Default 64 MiB. */
  readonly maxBytes?: number;
  /** `latin1` keeps each byte of what it said as one character. Default utf8. */
  readonly encoding?: 'utf8' | 'latin1';
  /** What it reads; default nothing. */
  readonly input?: string | Uint8Array;
}

/** `failure` says why there is no code. */
export interface EndedProgram extends ProgramEnd {
  readonly failure: {
    readonly message: string;
    readonly cause: unknown;
    readonly isAbsent: boolean;
    readonly isTooLong: boolean;
  } | null;
}

/**
 * Runs a program to its end, without a shell, and keeps what it said. It is not supervised: what it
 * starts itself may outlive it. The library is loaded with the first call, for most commands start
 * nothing.
 */
export async function runProgram(
  [file, ...argv]: readonly [string, ...string[]],
  { cwd, env, timeoutMs, killSignal = 'SIGTERM', maxBytes = MAX_BYTES, encoding = 'utf8', input = '' }: ProgramCall,
): Promise<EndedProgram> {
  const { execa } = await import('execa');
  const ended = await execa(file, argv, {
    ...(cwd === undefined ? {} : { cwd }),
    env,
    extendEnv: false,
    ...(timeoutMs === null ? {} : { timeout: timeoutMs }),
    killSignal,
    maxBuffer: maxBytes,
    encoding,
    input,
    stripFinalNewline: false,
    reject: false,
    // The library would listen to the signals of this process, and end what is at work on disk.
    cleanup: false,
  });
  const { stdout, stderr, exitCode } = ended;
  if (exitCode !== undefined && !ended.timedOut && !ended.isMaxBuffer)
    return { code: exitCode, stdout, stderr, failure: null };
  const { shortMessage = 'it could not be started', code, cause } = ended;
  return {
    code: null,
    stdout: stdout ?? '',
    stderr: stderr ?? '',
    failure: { message: shortMessage, cause, isAbsent: code === 'ENOENT', isTooLong: ended.isMaxBuffer },
  };
}
