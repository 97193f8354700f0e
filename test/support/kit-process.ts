import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
/** The program of this build. */
export const KIT = join(projectRoot, 'bin', 'kit.js');

export interface KitResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout parsed line by line. Throws when a line is no JSON. */
  readonly lines: () => readonly Record<string, unknown>[];
}

export interface KitRun {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly stdin?: string;
  /** The program of another build; default: this one. */
  readonly program?: string;
  /** Closes the reading end of stdout before kit writes. */
  readonly isStdoutClosed?: boolean;
}

/** A private home: nothing of the machine's user is read, no registry can be reached. */
export interface KitHome {
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;
  readonly dataDir: string;
  readonly remove: () => Promise<void>;
}

/** An unused port of the loopback interface: connecting fails at once. */
const CLOSED_REGISTRY = 'http://127.0.0.1:9/';

export async function makeHome(): Promise<KitHome> {
  const path = await mkdtemp(join(tmpdir(), 'kit-home-'));
  const { PATH, NODE_V8_COVERAGE } = process.env;
  const env: NodeJS.ProcessEnv = {
    ...(PATH === undefined ? {} : { PATH }),
    ...(NODE_V8_COVERAGE === undefined ? {} : { NODE_V8_COVERAGE }),
    HOME: path,
    XDG_DATA_HOME: join(path, 'data'),
    XDG_CONFIG_HOME: join(path, 'config'),
    XDG_CACHE_HOME: join(path, 'cache'),
    npm_config_cache: join(path, 'npm-cache'),
    npm_config_registry: CLOSED_REGISTRY,
    npm_config_fetch_retries: '0',
  };
  return { path, env, dataDir: join(path, 'data', 'kit'), remove: () => rm(path, { recursive: true, force: true }) };
}

/** Runs the real kit in a process of its own. The environment is exactly the given one. */
export async function runKit(argv: readonly string[], run: KitRun = {}): Promise<KitResult> {
  const child = spawn(process.execPath, [run.program ?? KIT, ...argv], {
    env: run.env ?? {},
    cwd: run.cwd ?? tmpdir(),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const read = { stdout: '', stderr: '' };
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    read.stderr += text;
  });
  if (run.isStdoutClosed) child.stdout.destroy();
  else
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      read.stdout += text;
    });
  child.stdin.on('error', () => {});
  child.stdin.end(run.stdin ?? '');
  const ended = new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject).once('close', (code, signal) => resolve([code, signal]));
  });
  const [code, signal] = await ended;
  const lines = (): readonly Record<string, unknown>[] =>
    read.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  return { code, signal, ...read, lines };
}
