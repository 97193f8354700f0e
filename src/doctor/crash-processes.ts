import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { CaseEnd } from '../app/doctor/crash/enumerate-crashes.js';
import type { StoragePlace } from '../app/storage/resolve-storage.js';
import { type CrashProcessPlan, type CrashProcessReport, crashPaths } from './crash-plan.js';

/** Processes that carry the built-in run, and die. */
export interface CrashProcesses {
  run(plan: CrashProcessPlan): Promise<CaseEnd>;
  /** Resolves when none is left. */
  ended(): Promise<void>;
}

export interface CrashProcessesOptions {
  readonly storage: StoragePlace;
  readonly env: NodeJS.ProcessEnv;
  /** Directory of all cases: what Node compiles once serves every process. */
  readonly base: string;
  /** Path of the program that carries the run. */
  readonly program: string;
  readonly signal: AbortSignal;
}

/**
 * What the driver of the server and TLS may need; no key of a provider, and nothing that names a
 * workspace.
 */
const PASSED_ON = /^(PATH|PATHEXT|SystemRoot|TMPDIR|LANG|LC_ALL|TZ|PG[A-Z]+|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/;
/** A process that does not come to its end is ended; well above everything that it waits for. */
const STUCK_MS = 180_000;
const MAX_SAID = 2_000;

export function createCrashProcesses(options: CrashProcessesOptions): CrashProcesses {
  const running = new Set<Promise<unknown>>();
  return {
    run: async (plan) => {
      const one = runOne(options, plan);
      running.add(one);
      return one.finally(() => running.delete(one));
    },
    ended: async () => void (await Promise.allSettled(running)),
  };
}

async function runOne(options: CrashProcessesOptions, plan: CrashProcessPlan): Promise<CaseEnd> {
  if (options.signal.aborted) return failed('it was cut off');
  const child = spawn(process.execPath, ['--no-warnings', options.program, JSON.stringify(plan)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: envOf(options, plan),
  });
  const kill = (): void => void child.kill('SIGKILL');
  const timer = setTimeout(kill, STUCK_MS);
  options.signal.addEventListener('abort', kill);
  child.stdin.on('error', () => undefined); // it is gone: what it was told of that is not a loss
  try {
    const [said, complained, signal] = await Promise.all([textOf(child.stdout), textOf(child.stderr), signalOf(child)]);
    if (signal === 'SIGKILL' && plan.dieAt !== null) return { kind: 'killed' };
    return (
      endOf(said) ??
      failed(
        `a process of kit ended without a word${signal === null ? '' : ` (${signal})`}: ${complained.slice(-MAX_SAID)}`,
      )
    );
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', kill);
  }
}

const failed = (message: string): CaseEnd => ({ kind: 'failed', code: 'KIT_INTERNAL', message, hint: null });

function endOf(said: string): CaseEnd | null {
  if (said === '') return null;
  // Written by crash-process.ts, whole or not at all.
  const report = JSON.parse(said) as CrashProcessReport;
  return report.ok
    ? { kind: 'carried' }
    : { kind: 'failed', code: report.code, message: report.message, hint: report.hint };
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const piece of stream.setEncoding('utf8')) text += String(piece);
  return text;
}

async function signalOf(child: ChildProcess): Promise<NodeJS.Signals | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.signalCode;
}

/** Homes of its own: the user's plugins, keys and approvals stay out of it. */
function envOf({ storage, env, base }: CrashProcessesOptions, plan: CrashProcessPlan): NodeJS.ProcessEnv {
  const { home } = crashPaths(plan.dir);
  return {
    ...passFileOf(env),
    ...Object.fromEntries(Object.entries(env).filter(([name]) => PASSED_ON.test(name))),
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    NODE_COMPILE_CACHE: join(base, 'compile-cache'),
    KIT_MOCK_DELEGATE: '1',
    KIT_STORE_POOL_SIZE: '1',
    KIT_STORE_MAX_OVERFLOW: '3',
    ...(storage.backend === 'sqlite' ? { KIT_STORE_BACKEND: 'sqlite' } : { KIT_STORE_URL: storage.url }),
  };
}

/**
 * The user's own file of passwords, unless they name another one: the driver looks for it in HOME,
 * which the processes have of their own.
 */
function passFileOf(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const file = join(env.HOME || homedir(), '.pgpass');
  return existsSync(file) ? { PGPASSFILE: file } : {};
}
