import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, statSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FaultPoints } from '../domain/faults.js';
import type { BlobStore } from '../domain/ports/stores.js';
import { sha256Hex } from '../lib/sha256.js';
import { asSystemTrouble } from './state-dir.js';
import { SHA256_HEX, undamaged } from './undamaged.js';

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

export interface BlobFilesDeps {
  readonly faults: FaultPoints;
  readonly nowMs: () => number;
}

export interface BlobFiles extends BlobStore {
  /**
   * Removes a blob that nobody has put since `beforeMs`; false when somebody has. Synchronous: the
   * caller holds the write lock and has seen that no row names it.
   */
  removeUnused(sha256: string, beforeMs: number): boolean;
  /**
   * Size of a blob that `removeUnused` would remove; null when there is none, or somebody has put
   * it since.
   */
  unusedBytes(sha256: string, beforeMs: number): number | null;
}

/**
 * Blobs as files named by their digest. `put` returns when the bytes, the name and the directory
 * entry are on disk: the row that names a blob is written afterwards, so no crash leaves a row
 * without its bytes. A crash may leave a `.tmp` file. The time of a file is that of its last `put`:
 * a blob that was put a moment ago is about to be named.
 */
export function createBlobFiles(directory: string, { faults, nowMs }: BlobFilesDeps): BlobFiles {
  const pathOf = (sha256: string): string => join(directory, sha256.slice(0, 2), sha256);
  const recent = createRecent(nowMs);
  const underWay = new Map<string, Promise<void>>();
  const write = async (sha256: string, bytes: Uint8Array): Promise<void> => {
    const path = pathOf(sha256);
    if (await touch(path, nowMs())) {
      // Another process may have renamed it a moment ago and not yet synced the entry.
      await syncDirectory(dirname(path));
      recent.add(sha256);
      return;
    }
    await mkdir(dirname(path), { recursive: true, mode: DIRECTORY_MODE });
    const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
    try {
      await writeSynced(temporary, bytes);
      await touch(temporary, nowMs());
      faults.hit('blob.put:before');
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await syncDirectory(dirname(path));
    await syncDirectory(directory);
    faults.hit('blob.put:after');
    recent.add(sha256);
  };
  return {
    async put(bytes) {
      const sha256 = sha256Hex(bytes);
      if (recent.has(sha256)) return sha256;
      // Hundreds of runs that are submitted together put one snapshot: it is written once.
      const writing = underWay.get(sha256) ?? write(sha256, bytes).finally(() => underWay.delete(sha256));
      underWay.set(sha256, writing);
      try {
        await writing;
      } catch (error) {
        throw asSystemTrouble(error, 'the store cannot keep what belongs to a run');
      }
      return sha256;
    },
    async get(sha256) {
      if (!SHA256_HEX.test(sha256)) return null;
      const bytes = await readFile(pathOf(sha256)).catch(nullIfAbsent);
      return bytes === null ? null : undamaged(sha256, bytes);
    },
    unusedBytes(sha256, beforeMs) {
      const seen = SHA256_HEX.test(sha256) ? statSync(pathOf(sha256), { throwIfNoEntry: false }) : undefined;
      return seen === undefined || seen.mtimeMs > beforeMs ? null : seen.size;
    },
    removeUnused(sha256, beforeMs) {
      const path = pathOf(sha256);
      const seen = statSync(path, { throwIfNoEntry: false });
      if (seen === undefined) return true;
      if (seen.mtimeMs > beforeMs) return false;
      recent.delete(sha256);
      faults.hit('blob.collect:before');
      const isRemoved = removeUntouched(path, beforeMs);
      faults.hit('blob.collect:after');
      return isRemoved;
    },
  };
}

/** Far below the time for which a blob that was put is left alone (run-store.ts). */
const RECENT_MS = 60_000;
const MAX_RECENT = 256;

/**
 * Digests that this process has seen on disk a moment ago: runs of one topology put the same
 * snapshot again and again, and it need not be touched and synced for each of them.
 */
function createRecent(nowMs: () => number) {
  const putAtMs = new Map<string, number>();
  return {
    has: (sha256: string): boolean => {
      const ageMs = nowMs() - (putAtMs.get(sha256) ?? Number.NEGATIVE_INFINITY);
      return ageMs >= 0 && ageMs < RECENT_MS;
    },
    add: (sha256: string): void => {
      if (putAtMs.size >= MAX_RECENT) putAtMs.clear();
      putAtMs.set(sha256, nowMs());
    },
    delete: (sha256: string): void => void putAtMs.delete(sha256),
  };
}

/**
 * Out of the way first, then looked at again: whoever puts the same bytes meanwhile has touched the
 * file, or writes it anew.
 */
function removeUntouched(path: string, beforeMs: number): boolean {
  const renamed = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  renameSync(path, renamed);
  if (statSync(renamed).mtimeMs > beforeMs) {
    renameSync(renamed, path);
    return false;
  }
  rmSync(renamed);
  return true;
}

/** False when there is no such file. */
async function touch(path: string, nowMs: number): Promise<boolean> {
  const at = new Date(nowMs);
  return (await utimes(path, at, at).catch(nullIfAbsent)) !== null;
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the names in a directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
