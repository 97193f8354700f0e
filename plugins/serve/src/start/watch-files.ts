import { relative, sep } from 'node:path';
import { watch } from 'chokidar';

/** An editor saves several files at once, and some files twice. */
const SETTLE_MS = 150;

/** What runs, git and editors write beside the files of a workspace. */
const NO_SOURCE = /(^\.|^node_modules$|\.(db|sqlite)(-\w+)?$|~$|\.sw\w$|\.log$)/;

/** Changes of one moment, as paths below the directory. */
export interface FileWatch {
  /**
   * Resolves with what changed since the last call, once it has settled; [] = the signal aborted.
   */
  next(signal: AbortSignal): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * Watches the files of a workspace: those that somebody writes. Dot folders, `node_modules`,
 * databases, logs and the copies of editors are none of them. A link leads nowhere.
 */
export async function watchFiles(directory: string): Promise<FileWatch> {
  const pathOf = (path: string): string => relative(directory, path).split(sep).join('/');
  const changed = new Set<string>();
  let wake = (): void => undefined;
  const watcher = watch(directory, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) =>
      pathOf(path)
        .split('/')
        .some((part) => NO_SOURCE.test(part)),
  });
  const note = (path: string): void => {
    changed.add(pathOf(path));
    wake();
  };
  await new Promise<void>((ready, fail) => {
    watcher.on('add', note).on('change', note).on('unlink', note).on('ready', ready).on('error', fail);
  });

  /** Until something changed, or for so long. */
  const waited = (signal: AbortSignal, ms: number | null): Promise<void> =>
    new Promise((resolve) => {
      const timer = ms === null ? undefined : setTimeout(resolve, ms);
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        wake = () => undefined;
        resolve();
      };
      signal.addEventListener('abort', end, { once: true });
      if (ms === null) wake = end;
    });

  return {
    next: async (signal) => {
      if (changed.size === 0 && !signal.aborted) await waited(signal, null);
      let seen = -1;
      while (seen !== changed.size && !signal.aborted) {
        seen = changed.size;
        await waited(signal, SETTLE_MS);
      }
      const paths = signal.aborted ? [] : [...changed].sort();
      changed.clear();
      return paths;
    },
    close: () => watcher.close(),
  };
}
