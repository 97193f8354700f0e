import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { LeaseSignal, ProcessResult, ProcessSpec, SupervisedProcess } from '../../src/domain/ports/system.js';

const HOUR_MS = 3_600_000;

/** A spec that bounds nothing unless the test says so. */
export function processSpec(argv: readonly [string, ...string[]], overrides: Partial<ProcessSpec> = {}): ProcessSpec {
  return {
    argv,
    cwd: '/',
    env: { PATH: process.env.PATH ?? '' },
    stdin: '',
    maxLineBytes: 1024 * 1024,
    stderrTailBytes: 4_096,
    idleTimeoutMs: null,
    timeoutMs: null,
    maxOutputBytes: null,
    ...overrides,
  };
}

export const shell = (script: string, overrides: Partial<ProcessSpec> = {}): ProcessSpec =>
  processSpec(['/bin/sh', '-c', script], overrides);
export const nodeScript = (script: string, overrides: Partial<ProcessSpec> = {}): ProcessSpec =>
  processSpec([process.execPath, '-e', script], overrides);

/** One of a list of processes; it may be gone since they were listed. */
export function killListed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** A lease that the test renews by hand. */
export class TestLease implements LeaseSignal {
  #untilMs: number;
  readonly #listeners = new Set<(untilMs: number) => void>();

  constructor(lengthMs: number = HOUR_MS) {
    this.#untilMs = Date.now() + lengthMs;
  }

  until(): number {
    return this.#untilMs;
  }

  onRenew(listener: (untilMs: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  renew(lengthMs: number): void {
    this.#untilMs = Date.now() + lengthMs;
    for (const listener of this.#listeners) listener(this.#untilMs);
  }
}

export async function linesOf(child: SupervisedProcess): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of child.lines) lines.push(line);
  return lines;
}

export async function collect(
  child: SupervisedProcess,
): Promise<{ readonly lines: readonly string[]; readonly result: ProcessResult }> {
  const lines = await linesOf(child);
  return { lines, result: await child.done };
}

/** Living processes whose environment or command line holds the text (Linux). */
export function processesWith(text: string): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(
      (pid) =>
        Number.isInteger(pid) &&
        pid !== process.pid &&
        isRunning(pid) &&
        (holds(pid, 'environ', text) || holds(pid, 'cmdline', text)),
    );
}

/** False for a zombie. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

function holds(pid: number, file: 'environ' | 'cmdline', text: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/${file}`).includes(text);
  } catch {
    return false;
  }
}

/** Asks again and again until the answer is true; fails with the description after the time. */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>, timeoutMs = 15_000): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs;
  while (!(await isTrue())) {
    if (performance.now() > giveUpAt) throw new Error(`still not true after ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export interface TestWorker {
  readonly process: ChildProcess;
  /** Next JSON line that the worker printed. */
  next(): Promise<Record<string, unknown>>;
}

/**
 * A worker process of its own with one supervised shell script; `mark` is in the environment of all
 * its descendants. `afterwards` is a script of its supervisor, with its `word`.
 */
export function startWorker(
  leaseMs: number,
  mark: string,
  script: string,
  ...afterwards: readonly [] | readonly [script: string] | readonly [script: string, word: string]
): TestWorker {
  const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const child = spawn(
    process.execPath,
    [
      ...['--import', path('./processes-typescript.mjs'), path('./processes-worker.ts')],
      ...[String(leaseMs), mark, script, ...afterwards],
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    next: async () => {
      const { value, done } = await lines.next();
      if (done === true) throw new Error('the worker ended');
      return JSON.parse(value) as Record<string, unknown>;
    },
  };
}
