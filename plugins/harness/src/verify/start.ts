import { execFile } from 'node:child_process';

/** A session that takes longer than this has got nowhere. */
const RUN_MS = 300_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** A process of the bench. How it ended is told by what it wrote: a run that waits ends with 3. */
export interface Started {
  readonly ended: Promise<{ readonly stdout: string; readonly stderr: string }>;
  /** As a power cut does. */
  kill(): void;
  /** As Ctrl-C does. */
  interrupt(): void;
}

/**
 * By hand: what kit runs by a library it runs to its end. The bench kills and interrupts what it
 * has started while that is at work.
 */
export function start(
  [program = '', ...args]: readonly string[],
  {
    cwd,
    env,
    stdin = '',
  }: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly stdin?: string },
): Started {
  const { promise: ended, resolve } = Promise.withResolvers<{ readonly stdout: string; readonly stderr: string }>();
  const options = { cwd, env, timeout: RUN_MS, killSignal: 'SIGTERM', maxBuffer: MAX_OUTPUT_BYTES } as const;
  const child = execFile(program, args, options, (_error, stdout, stderr) => resolve({ stdout, stderr }));
  child.stdin?.on('error', () => {});
  child.stdin?.end(stdin);
  return { ended, kill: () => void child.kill('SIGKILL'), interrupt: () => void child.kill('SIGINT') };
}
