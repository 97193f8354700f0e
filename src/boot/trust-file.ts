import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Visits } from '../app/runs/run-session.js';
import type { TrustEntry, TrustStore } from '../app/submit/adapter-trust.js';
import { KitError } from '../domain/errors.js';

const keyOf = (entry: TrustEntry): string => JSON.stringify([entry.workspace, entry.adapter, entry.digest]);

/**
 * `~/.config/kit` (XDG_CONFIG_HOME): what a person decided about programs lies outside any
 * workspace (docs/design/journal.md#outside-the-workspace).
 */
export function userConfigDir(env: NodeJS.ProcessEnv): string {
  return env.XDG_CONFIG_HOME ? join(env.XDG_CONFIG_HOME, 'kit') : join(env.HOME || homedir(), '.config', 'kit');
}

/** Workspaces that were run, in a file of the same form beside the approvals. */
export function createVisitsFile(path: string): Visits {
  const file = createTrustFile(path);
  return {
    isFirst: async (workspace) => {
      const visit = { workspace, adapter: '', digest: '' };
      if (await file.has(visit)) return false;
      // Not being able to remember only means that the list is shown again.
      await file.add(visit).catch(() => undefined);
      return true;
    },
  };
}

/**
 * Approved adapters in one file of the user's config directory, mode 0600. An unreadable file
 * approves nothing; `add` throws KIT_STORE_UNAVAILABLE.
 */
export function createTrustFile(path: string): TrustStore {
  return {
    has: async (entry) => (await read(path)).has(keyOf(entry)),
    add: async (entry) => {
      const keys = new Set([...(await read(path)), keyOf(entry)]);
      await write(path, keys).catch((cause: unknown) => {
        throw new KitError(
          'KIT_STORE_UNAVAILABLE',
          `the approval cannot be recorded: ${cause instanceof Error ? cause.message : String(cause)}`,
          {
            cause,
            hint: 'Name a directory that you may write, with XDG_CONFIG_HOME.',
          },
        );
      });
    },
  };
}

async function write(path: string, keys: ReadonlySet<string>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(
    temporary,
    `${JSON.stringify(
      [...keys].map((key) => JSON.parse(key) as unknown),
      null,
      2,
    )}\n`,
    { mode: 0o600 },
  );
  await chmod(temporary, 0o600);
  await rename(temporary, path);
}

async function read(path: string): Promise<ReadonlySet<string>> {
  try {
    const parsed: unknown = JSON.parse(await readFile(path, 'utf8'));
    return new Set(Array.isArray(parsed) ? parsed.map((entry) => JSON.stringify(entry)) : []);
  } catch {
    return new Set();
  }
}
