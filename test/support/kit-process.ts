import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { realpathSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { fileURLToPath } from 'node:url';
import type { ProcessWorld } from '../../src/cli/process-io.js';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
/** The program of this build. */
export const KIT = join(projectRoot, 'bin', 'kit.js');

export interface KitResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout parsed line by line. Throws when a line is not JSON. */
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
    // A test about a failing provider is about the failure; what waits for it asks for patience.
    KIT_OUTAGE_PATIENCE_S: '0',
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
  return { code, signal, ...read, lines: () => linesOf(read.stdout) };
}

/** What a call of kit in the process of the test may say. */
export type KitCall = Pick<KitRun, 'env' | 'cwd' | 'stdin'>;

/** The built kit as Node loads it: a test's own `import` would take the sources. */
const load = createRequire(import.meta.url);

/**
 * Runs the built kit in the process of the test, with an environment, a current directory and
 * streams of its own: for command lines that leave nothing behind that lasts longer than the call.
 * Not for what only a process has: signals, terminals, closed pipes, an unhandled error, and
 * modules of a plugin that change from one call to the next.
 */
export async function runKitHere(argv: readonly string[], run: KitCall = {}): Promise<KitResult> {
  const { main }: typeof import('../../src/boot/main.js') = load(join(projectRoot, 'dist/program/boot/main.js'));
  const [stdin, stdout, stderr] = [new PassThrough(), new Gathered(), new Gathered()];
  stdin.end(run.stdin ?? '');
  const world = {
    env: { ...run.env },
    cwd: realpathSync(run.cwd ?? tmpdir()),
    stdin,
    stdinKind: 'input',
    stdout,
    stderr,
    stdoutGuard: { closed: new AbortController().signal, goOnWithout: () => undefined },
    events: Object.assign(new EventEmitter(), { platform: process.platform }),
    exit: (code: number) => {
      throw new Error(`kit asked to end the process of the test with ${code}`);
    },
    exitCode: undefined,
  };
  // Streams of Node stand for those of a process; what only a terminal has, nobody asks of them.
  const code = await main(argv, world as unknown as ProcessWorld);
  return { code, signal: null, stdout: stdout.text, stderr: stderr.text, lines: () => linesOf(stdout.text) };
}

/** A stream that keeps what is written to it. */
class Gathered extends Writable {
  text = '';
  readonly #decoder = new StringDecoder('utf8');

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += this.#decoder.write(chunk);
    done();
  }
}

/** Each line as JSON. */
export const linesOf = (text: string): readonly Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
