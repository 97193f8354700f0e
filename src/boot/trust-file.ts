import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Visits } from '../app/runs/run-session.js';
import type { TrustEntry, TrustStore } from '../app/submit/adapter-trust.js';
import { KitError, messageOf } from '../domain/errors.js';
import type { JsonObject } from '../domain/json.js';

const keyOf = (entry: TrustEntry): string => JSON.stringify([entry.workspace, entry.adapter, entry.digest]);

/** Workspaces that are remembered; the oldest are forgotten. */
const MAX_VISITS = 1000;

/** True where it was not there before. What cannot be remembered counts as new again. */
async function remember(path: string, visit: TrustEntry, mayWrite = async () => true): Promise<boolean> {
  const key = keyOf(visit);
  const kept = await read(path);
  if (kept.some((one) => one.key === key)) return false;
  if (await mayWrite()) await write(path, [...kept, { key }].slice(-MAX_VISITS)).catch(() => undefined);
  return true;
}

/** Workspaces that were run, in a file of the same form beside the approvals. */
export const createVisitsFile = (path: string): Visits => ({
  isFirst: (workspace) => remember(path, { workspace, adapter: '', digest: '' }),
});

/**
 * Remembers that this user has a store in the workspace, which another version of kit has to go on
 * with. Says nothing of what was shown to anybody. A home is not made: where none of `homes` is
 * there, as for users of services, nothing is kept.
 */
export const rememberStore = async (
  path: string,
  { workspace, homes }: { readonly workspace: string; readonly homes: readonly string[] },
): Promise<void> => {
  await remember(path, { workspace, adapter: '', digest: 'store' }, async () => {
    const found = await Promise.all(homes.map((home) => stat(home).catch(() => null)));
    return found.some((home) => home !== null);
  });
};

/** The workspaces of that file, each once, whoever saw them: a person, or a program without one. */
export const visitedWorkspaces = async (path: string): Promise<readonly string[]> => [
  ...new Set((await read(path)).map(({ key }) => String((JSON.parse(key) as readonly unknown[])[0]))),
];

/**
 * Approved adapters in one file of the user's config directory, mode 0600. An unreadable file
 * approves nothing; `add` throws KIT_STORE_UNAVAILABLE.
 */
export function createTrustFile(
  path: string,
  by: { readonly user: () => string; readonly now: () => number },
): TrustStore {
  return {
    has: async (entry) => {
      const wanted = keyOf(entry);
      return (await read(path)).some(({ key }) => key === wanted);
    },
    add: async (entry, spec) => {
      const key = keyOf(entry);
      const others = (await read(path)).filter((one) => one.key !== key);
      const at = new Date(by.now()).toISOString();
      await write(path, [...others, { key, about: { by: by.user(), at, spec } }]).catch((cause: unknown) => {
        throw new KitError('KIT_STORE_UNAVAILABLE', `the approval cannot be recorded: ${messageOf(cause)}`, {
          cause,
          hint: 'Name a directory that you may write, with XDG_CONFIG_HOME.',
        });
      });
    },
    last: async ({ workspace, adapter }) => {
      const found = (await read(path)).findLast(({ key }) => {
        const [ofWorkspace, ofAdapter] = JSON.parse(key) as readonly unknown[];
        return ofWorkspace === workspace && ofAdapter === adapter;
      });
      if (found === undefined) return null;
      const [, , fingerprint] = JSON.parse(found.key) as readonly unknown[];
      return { fingerprint: String(fingerprint), by: null, at: null, spec: null, ...found.about };
    },
  };
}

/** One approval: its key, and since they are kept what was approved, by whom and when. */
interface Kept {
  readonly key: string;
  readonly about?: { readonly by: string; readonly at: string; readonly spec: JsonObject };
}

async function write(path: string, kept: readonly Kept[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  const entries = kept.map(({ key, about }) => [
    ...(JSON.parse(key) as readonly unknown[]),
    ...(about === undefined ? [] : [about]),
  ]);
  await writeFile(temporary, `${JSON.stringify(entries, null, 2)}\n`, { mode: 0o600 });
  await chmod(temporary, 0o600);
  await rename(temporary, path);
}

async function read(path: string): Promise<readonly Kept[]> {
  try {
    const parsed: unknown = JSON.parse(await readFile(path, 'utf8'));
    return Array.isArray(parsed) ? parsed.flatMap(keptOf) : [];
  } catch {
    return [];
  }
}

/** Lines that an older kit wrote have three parts. What is not an approval is none. */
function keptOf(entry: unknown): readonly Kept[] {
  if (!Array.isArray(entry)) return [];
  const [workspace, adapter, digest, about] = entry as readonly unknown[];
  if (typeof workspace !== 'string' || typeof adapter !== 'string' || typeof digest !== 'string') return [];
  const key = keyOf({ workspace, adapter, digest });
  return [typeof about === 'object' && about !== null ? { key, about: about as Kept['about'] & object } : { key }];
}
