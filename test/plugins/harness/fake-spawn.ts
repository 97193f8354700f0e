import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type {
  ExecutorContext,
  ExecutorEvent,
  ProcessResult,
  ProcessSpec,
  SupervisedProcess,
} from '../../../src/sdk/plugin.js';

/**
 * A child in a group of its own, without a supervisor: enough to drive the executor, none of the
 * guarantees.
 */
export function spawnLocally(spec: ProcessSpec, stop?: AbortSignal): SupervisedProcess {
  const [program, ...args] = spec.argv;
  const child = spawn(program, args, {
    cwd: spec.cwd,
    env: { ...spec.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  let ended: ProcessResult['ended'] = null;
  let stderrTail = '';
  const end = (why: NonNullable<ProcessResult['ended']>): void => {
    ended ??= why;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  };
  const timer = spec.timeoutMs === null ? undefined : setTimeout(() => end('timeout'), spec.timeoutMs);
  stop?.addEventListener('abort', () => end('aborted'), { once: true });
  child.stdin.on('error', () => {});
  if (spec.stdinParts === undefined) child.stdin.end(spec.stdin);
  else pipeline(Readable.from(spec.stdinParts), child.stdin).catch(() => {});
  child.stderr.on('data', (chunk: Buffer) => {
    stderrTail = (stderrTail + chunk.toString()).slice(-spec.stderrTailBytes);
  });
  const done = new Promise<ProcessResult>((resolve, reject) => {
    child.on('error', (error) => reject(new Error('spawn failed', { cause: error })));
    child.on('close', (exitCode, signal) => {
      clearTimeout(timer);
      resolve({ exitCode, signal, ended, stderrTail, durationMs: 0 });
    });
  });
  done.catch(() => {});
  return { lines: createInterface({ input: child.stdout }), done };
}

export interface Recorder {
  readonly context: ExecutorContext;
  readonly events: ExecutorEvent[];
  readonly spawned: ProcessSpec[];
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A context that records what the executor says and starts. */
export function recorder(env: Readonly<Record<string, string>>): Recorder {
  const events: ExecutorEvent[] = [];
  const spawned: ProcessSpec[] = [];
  const context: ExecutorContext = {
    signal: new AbortController().signal,
    log: silent,
    clock: {
      now: () => Date.now(),
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          const timer = setTimeout(resolve, ms);
          signal?.addEventListener('abort', () => {
            clearTimeout(timer);
            reject(new Error('aborted'));
          });
        }),
    },
    env,
    spawn: (spec, stop) => {
      spawned.push(spec);
      return spawnLocally(spec, stop);
    },
    emit: async (event) => {
      events.push(event);
    },
  };
  return { context, events, spawned };
}
