import { type ChildProcess, fork } from 'node:child_process';

/** The parts of kit that run a plugin's code in processes of their own. */
export interface ChildParts {
  /** URL of the module that maps kit's exports; preloaded into each process. */
  readonly preload: string;
  /** The whole environment of the process: no keys of the user's. */
  readonly env: Readonly<Record<string, string>>;
}

/** How one such process ended. */
export interface ChildEnd {
  /** Bytes past the bound are dropped. */
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** It had not ended in time and was killed. */
  readonly isKilled: boolean;
}

export interface ChildRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly nodeArgs: readonly string[];
  /** Milliseconds without a message after which it is killed. */
  readonly silentMs: number;
  /** Milliseconds that it may live on after it has disconnected. */
  readonly lingerMs: number;
}

const MAX_OUTPUT_CHARS = 4_000;
/** For the rest of the output; a process that the plugin left behind may hold the pipe for ever. */
const FLUSH_MS = 500;

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(0, MAX_OUTPUT_CHARS);
  });
  return () => text;
}

/** Kills after a while without a sign of life. */
function watchdog(child: ChildProcess): {
  readonly within: (ms: number) => void;
  readonly stop: () => void;
  readonly hasKilled: () => boolean;
} {
  let timer: NodeJS.Timeout | undefined;
  let hasKilled = false;
  const stop = (): void => clearTimeout(timer);
  return {
    stop,
    hasKilled: () => hasKilled,
    within: (ms) => {
      stop();
      timer = setTimeout(() => {
        hasKilled = true;
        child.kill('SIGKILL');
      }, ms);
    },
  };
}

/**
 * Runs one of kit's own child modules to its end; `onMessage` gets what it sends. Never rejects for
 * what the child does.
 */
export async function runChild(
  parts: ChildParts,
  request: ChildRequest,
  onMessage: (message: unknown) => void,
): Promise<ChildEnd> {
  const child = fork(request.file, [...request.args], {
    execArgv: [...request.nodeArgs, '--import', parts.preload],
    env: { ...parts.env, NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const dog = watchdog(child);
  dog.within(request.silentMs);
  child.on('message', (message) => {
    dog.within(request.silentMs);
    onMessage(message);
  });
  child.once('disconnect', () => dog.within(request.lingerMs));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const [exitCode, signal] = await new Promise<readonly [number | null, string | null]>((resolve, reject) => {
    child.once('error', reject).once('exit', (code, by) => resolve([code, by]));
  });
  dog.stop();
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, FLUSH_MS).unref())]);
  return { stdout: stdout(), stderr: stderr(), exitCode, signal, isKilled: dog.hasKilled() };
}
