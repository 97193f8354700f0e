import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { runnableFile } from '../../system/runnable-file.js';

/** A loop that is blocked for this long is not waited for any more. */
const BLOCKED_MS = 10_000;
const BEAT_MS = 500;

/** What the thread is given. */
export interface WatchWork {
  /** First how often the loop went round; then, plugin by plugin, how many calls are under way. */
  readonly cells: Int32Array;
  readonly plugins: readonly string[];
  readonly blockedMs: number;
}

/** A thread that looks whether the loop of this process goes round. */
export interface Watch {
  /** A call of a plugin begins; the returned function says that it has ended. */
  enter(plugin: string): () => void;
  end(): void;
}

/**
 * Starts the watch. It keeps no process alive. Under a debugger nothing is watched: who steps
 * through code stops the loop.
 */
export function openWatch(plugins: readonly string[]): Watch {
  const cells = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (plugins.length + 1)));
  const count = (plugin: string, by: 1 | -1): void => {
    const index = plugins.indexOf(plugin);
    if (index !== -1) Atomics.add(cells, index + 1, by);
  };
  const enter = (plugin: string) => {
    count(plugin, 1);
    return () => count(plugin, -1);
  };
  if (inspectorUrl() !== undefined) return { enter, end: () => undefined };
  const beat = setInterval(() => void Atomics.add(cells, 0, 1), BEAT_MS).unref();
  const worker = new Worker(runnableFile(new URL('./watch-thread.ts', import.meta.url)), {
    execArgv: [],
    env: {},
    workerData: { cells, plugins, blockedMs: BLOCKED_MS } satisfies WatchWork,
  });
  // Without it a blocked loop stays blocked, and nothing else changes.
  worker.on('error', () => undefined).unref();
  return {
    enter,
    end: () => {
      clearInterval(beat);
      void worker.terminate();
    },
  };
}
