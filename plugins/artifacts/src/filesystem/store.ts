import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ArtifactBytes, KitError } from '@kit-run/kit/plugin';

/** The system's own word for what went wrong, '' where there is none. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** No file of this name: not every trouble with one, such as a folder that may not be entered. */
const isAbsent = (error: unknown): boolean => codeOf(error) === 'ENOENT';

const HINTS: Readonly<Record<string, string>> = {
  EACCES: 'Let the user that runs kit read and write it, or correct storage.artifacts.path.',
  EPERM: 'Let the user that runs kit read and write it, or correct storage.artifacts.path.',
  EROFS: 'Name a directory that can be written as storage.artifacts.path.',
  ENOSPC: 'Make room on the disk, then resume the run.',
  EDQUOT: 'Make room on the disk, then resume the run.',
  ENOTDIR: 'Something on the way to it is not a directory: correct storage.artifacts.path.',
  EEXIST: 'Something on the way to it is not a directory: correct storage.artifacts.path.',
  EISDIR: 'A directory lies where a file belongs: move it away.',
};

/** What people see of a directory that cannot be used. */
function toFailure(error: unknown, of: { readonly directory: string; readonly doing: 'read' | 'written' }): KitError {
  const code = codeOf(error);
  return new KitError(
    'KIT_ARTIFACT_STORE',
    `artifacts in ${of.directory} cannot be ${of.doing}${code === '' ? '' : ` (${code})`}`,
    {
      hint: HINTS[code] ?? 'Look at the directory and its disk, then run the command again.',
      cause: error,
      data: { directory: of.directory },
    },
  );
}

/** What artifacts hold is for who runs kit, and for nobody else of the machine. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;
const DIGEST = /^[0-9a-f]{64}$/;

/**
 * Bytes of artifacts as files `<directory>/<first two>/<sha256>`. A file is written beside its
 * place, synced, and renamed into it: it is there whole or not at all, and `put` returns when its
 * name is on disk as well. A process that dies half-way leaves a `.tmp` file, which nothing reads.
 * A file of another length is replaced; kit checks the digest of everything it reads.
 */
export function createFileStore(directory: string): ArtifactBytes {
  const pathOf = (sha256: string): string => {
    if (!DIGEST.test(sha256)) throw new Error('an artifact is named by its SHA-256');
    return join(directory, sha256.slice(0, 2), sha256);
  };
  return {
    put: async (sha256, bytes) => {
      const path = pathOf(sha256);
      try {
        if ((await sizeOf(path)) !== bytes.byteLength) await write(path, bytes);
        // Also where somebody else has written it a moment ago: the name must be on disk before a
        // record names the bytes.
        await syncDirectory(dirname(path));
        await syncDirectory(directory);
      } catch (error) {
        throw toFailure(error, { directory, doing: 'written' });
      }
    },
    get: async (sha256) => {
      const path = pathOf(sha256);
      try {
        return new Uint8Array(await readFile(path));
      } catch (error) {
        if (isAbsent(error)) return null;
        throw toFailure(error, { directory, doing: 'read' });
      }
    },
  };
}

/** Null where there is no file. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.size : null;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: DIRECTORY_MODE });
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', FILE_MODE);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
