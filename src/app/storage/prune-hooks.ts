import { messageOf } from '../../domain/errors.js';
import type { Clock, Log } from '../../domain/ports/system.js';
import type { ProcessHooks, WorkingProcess } from '../work/working-process.js';
import type { StorageApp } from './storage-app.js';

const HOUR_MS = 60 * 60 * 1000;
/** A server that has just started has better things to do. */
const FIRST_MS = 60_000;
/** Servers that start together do not remove together. */
const SPREAD_MS = 9 * 60_000;

export interface PruneHooksDeps {
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** 0 <= x < 1. */
  readonly random: () => number;
  readonly storage: Pick<StorageApp, 'prune' | 'pruneEveryHours'>;
}

/** What a server removes by itself while it serves. */
interface Pruning {
  readonly over: AbortController;
  readonly done: Promise<void>;
}

/**
 * Removes in a serving process what `kit storage prune` would remove, as often as
 * `storage.audit.prune_every_hours` says; workers remove nothing. First within ten minutes of the
 * start, so that a server that is restarted every day gets to it. The setting is read every hour:
 * another one holds within an hour. A removal that fails is a warning, and the next one finishes
 * it; nothing of a run depends on it. A drain ends a removal between two of its reads or writes.
 */
export function withPruning(hooks: ProcessHooks, deps: PruneHooksDeps): ProcessHooks {
  const running = new Map<string, Pruning>();
  return {
    ...hooks,
    onStart: async (process) => {
      await hooks.onStart(process);
      const over = new AbortController();
      running.set(process.id, { over, done: loop(deps, process, over.signal) });
    },
    onDrain: async (process) => {
      running.get(process.id)?.over.abort(OVER);
      await hooks.onDrain(process);
    },
    onStop: async (process) => {
      await running.get(process.id)?.done;
      running.delete(process.id);
      await hooks.onStop(process);
    },
  };
}

const OVER = new Error('the server is shutting down');

async function loop(deps: PruneHooksDeps, { workspace }: WorkingProcess, signal: AbortSignal): Promise<void> {
  const { clock, log, random } = deps;
  // Counted in looks: a timer may be a moment early.
  let hoursSince = Number.POSITIVE_INFINITY;
  for (let waitMs = FIRST_MS + SPREAD_MS * random(); ; waitMs = HOUR_MS) {
    await clock.sleep(waitMs, signal).catch(() => undefined);
    if (signal.aborted) return;
    hoursSince += 1;
    try {
      const hours = await deps.storage.pruneEveryHours(workspace);
      if (hours === null || hoursSince < hours) continue;
      hoursSince = 0;
      await removeOnce(deps, workspace, signal);
    } catch (error) {
      if (error === OVER) return;
      log.warn('old runs could not be removed', { error: messageOf(error) });
    }
  }
}

async function removeOnce({ log, storage }: PruneHooksDeps, workspace: string, signal: AbortSignal): Promise<void> {
  const removed = await storage.prune({
    workspace,
    olderThanDays: null,
    onProgress: () => undefined,
    signal,
  });
  if (removed === null || removed.runs === 0) return;
  const { runs, olderThanDays, bytes } = removed;
  log.info('old runs were removed', { runs, olderThanDays, bytes: bytes.database + bytes.blobs });
}
