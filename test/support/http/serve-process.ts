import { type ChildProcess, spawn } from 'node:child_process';
import { KIT } from '../kit-process.js';

/** `kit serve` in a process of its own. */
export interface ServeProcess {
  readonly url: string;
  readonly pid: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;
}

const ADDRESS = /listening on (http:\S+)|"type":"listening","url":"([^"]+)"/;

/**
 * Starts a server on a free port and waits until it listens. Whoever starts it ends it. Throws what
 * it printed when it ends before.
 */
export async function startServe(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  program = KIT,
): Promise<ServeProcess> {
  const child: ChildProcess = spawn(process.execPath, [program, 'serve', '--port', '0', ...argv], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  const listening = Promise.withResolvers<string>();
  const look = (): void => {
    const [, plain, json] = ADDRESS.exec(out) ?? ADDRESS.exec(err) ?? [];
    const url = plain ?? json;
    if (url !== undefined) listening.resolve(url);
  };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    look();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
    look();
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  void ended.then((code) => listening.reject(new Error(`kit serve ended with ${code}: ${out}${err}`)));
  const url = await listening.promise;
  return {
    url,
    pid: child.pid ?? 0,
    stdout: () => out,
    stderr: () => err,
    kill: (signal) => void child.kill(signal),
    ended,
  };
}
