import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { KitError } from '../../domain/errors.js';
import { sha256Hex } from '../../lib/sha256.js';
import { SHA256_HEX } from '../undamaged.js';

/** A file of the blobs, without its bytes. */
export interface BlobEntry {
  readonly sha256: string;
  readonly bytes: number;
  /** ISO 8601: its last put. */
  readonly putAt: string;
}

/**
 * Blobs of a SQLite store in the order of their digests; what a crash left half-written is passed
 * over.
 */
export async function* blobEntries(directory: string): AsyncGenerator<BlobEntry> {
  for (const folder of (await entriesOf(directory)).sort()) {
    for (const sha256 of (await entriesOf(join(directory, folder))).sort()) {
      if (!SHA256_HEX.test(sha256)) continue;
      const { size, mtime } = await stat(join(directory, folder, sha256));
      yield { sha256, bytes: size, putAt: mtime.toISOString() };
    }
  }
}

/** Throws KIT_MIGRATE_SOURCE for bytes that are not what their name says. */
export async function blobBytes(directory: string, sha256: string): Promise<Uint8Array> {
  const bytes = await readFile(join(directory, sha256.slice(0, 2), sha256));
  if (sha256Hex(bytes) === sha256) return bytes;
  throw new KitError('KIT_MIGRATE_SOURCE', `the blob ${sha256} is damaged: its bytes have another digest`, {
    hint: 'Restore the file from a backup, or remove it if no run needs it; then migrate again.',
    data: { sha256 },
  });
}

async function entriesOf(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
}
