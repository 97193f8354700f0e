import { hash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { PolicyFile } from './policy-set.js';

export type PolicyLanguage = 'yaml' | 'cedar' | 'rego';

const ENDINGS: Readonly<Record<PolicyLanguage, RegExp>> = {
  yaml: /\.ya?ml$/,
  cedar: /\.cedar$/,
  rego: /\.(?:rego|wasm|tar\.gz)$/,
};

/** The largest policy file that is read, in bytes: a bundle of OPA with its data fits well. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

export interface PolicyFolder {
  /** Absolute. */
  readonly directory: string;
  /** What paths are shown relative to; null = as they are. */
  readonly root: string | null;
  readonly language: PolicyLanguage;
}

/**
 * Files of the language in the folder itself, by name. Throws where the folder cannot be read or a
 * file is too large.
 */
export async function readPolicyFiles(folder: PolicyFolder): Promise<readonly PolicyFile[]> {
  const paths = await listFiles(folder);
  return Promise.all(
    paths.map(async (path) => {
      const found = await stat(path);
      // A device or a pipe has no size and no end.
      if (!found.isFile()) throw new Error(`${shown(folder, path)} is not a file`);
      if (found.size > MAX_FILE_BYTES) throw new Error(`${shown(folder, path)} is larger than ${MAX_FILE_BYTES} bytes`);
      return { path: shown(folder, path), bytes: await readFile(path) };
    }),
  );
}

/**
 * What changes when a file is added, removed or written: names, sizes and times. null = the folder
 * cannot be read.
 */
export async function stampOf(folder: PolicyFolder): Promise<string | null> {
  try {
    const files = await listFiles(folder);
    const stats = await Promise.all(files.map((path) => stat(path, { bigint: true })));
    return stats.map((found, index) => `${files[index]} ${found.size} ${found.mtimeNs} ${found.ino}`).join('\n');
  } catch {
    return null;
  }
}

/** SHA-256 over names and bytes, 64 hex characters: which text decided. */
export const digestOf = (files: readonly PolicyFile[]): string =>
  hash('sha256', files.map(({ path, bytes }) => `${path}\0${hash('sha256', bytes, 'hex')}`).join('\n'), 'hex');

const shown = ({ root }: PolicyFolder, path: string): string =>
  root === null ? path : relative(root, path).replaceAll('\\', '/');

async function listFiles({ directory, language }: PolicyFolder): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && ENDINGS[language].test(entry.name))
    .map(({ name }) => join(directory, name))
    .sort();
}
