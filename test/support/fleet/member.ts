import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../kit-process.js';

/** One kit process that is killed and comes back. */
export interface Member {
  readonly name: string;
  /** Undefined while it is down. */
  pid(): number | undefined;
  /** How often it was started. */
  readonly starts: number;
  /**
   * Starts that were refused (exit 2, as when the database was away), each tried again as a service
   * manager would.
   */
  readonly refusals: number;
  /** Ends that nobody asked for. */
  readonly unexpected: readonly string[];
  start(): void;
  /** kill -9; resolves when it is gone. */
  kill(): Promise<void>;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** SIGTERM; what is still there after `graceMs` is killed. */
  stop(graceMs: number): Promise<void>;
}

export interface MemberOptions {
  readonly name: string;
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** stdout and stderr of all its lives. */
  readonly logFile: string;
  readonly bin?: string;
}

const BIN = join(projectRoot, 'bin', 'kit.js');
const REFUSED = 2;
const AGAIN_MS = 500;
/** A process that ends with 2 later than this was not a refused start. */
const START_MS = 30_000;

export function createMember(options: MemberOptions): Member {
  const unexpected: string[] = [];
  let child: ChildProcess | null = null;
  let starts = 0;
  let refusals = 0;
  let isEndAsked = false;
  const isUp = (one: ChildProcess | null): one is ChildProcess =>
    one !== null && one.exitCode === null && one.signalCode === null;
  const gone = async (signal: NodeJS.Signals): Promise<void> => {
    isEndAsked = true;
    if (!isUp(child)) return;
    const over = once(child, 'exit');
    child.kill(signal);
    // A stopped process takes no signal but KILL before it goes on.
    if (signal !== 'SIGKILL') child.kill('SIGCONT');
    await over;
  };
  const start = (): void => {
    if (isUp(child)) return;
    isEndAsked = false;
    starts += 1;
    const startedMs = performance.now();
    const log = openSync(options.logFile, 'a');
    const started = spawn(process.execPath, [options.bin ?? BIN, ...options.argv], {
      env: options.env,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    child = started;
    started.once('exit', (code, signal) => {
      if (isEndAsked || child !== started) return;
      if (code !== REFUSED || performance.now() - startedMs > START_MS)
        unexpected.push(`${options.name} ended with ${code ?? signal}`);
      refusals += 1;
      setTimeout(() => {
        if (!isEndAsked && child === started) start();
      }, AGAIN_MS);
    });
  };
  return {
    name: options.name,
    pid: () => (isUp(child) ? child.pid : undefined),
    get starts() {
      return starts;
    },
    get refusals() {
      return refusals;
    },
    unexpected,
    start,
    kill: () => gone('SIGKILL'),
    signal: (signal) => {
      if (isUp(child)) child.kill(signal);
    },
    stop: async (graceMs) => {
      const timer = setTimeout(() => void gone('SIGKILL'), graceMs);
      await gone('SIGTERM');
      clearTimeout(timer);
    },
  };
}
