import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { KitError, messageOf } from '../../domain/errors.js';
import type { PluginCheckLine } from '../../domain/ports/plugin-authoring.js';
import { failed, passed } from '../../host/check/lines.js';
import { type ChildParts, runChild } from './child.js';

export const MANIFEST_FILE = 'oclif.manifest.json';
const SILENT_MS = 30_000;

type Made = { readonly manifest: object } | { readonly error: string };

/** A command's code runs in the process that answers: what arrives may be its own message. */
function isMade(value: unknown): value is Made {
  if (typeof value !== 'object' || value === null) return false;
  return (
    ('manifest' in value && typeof value.manifest === 'object' && value.manifest !== null) ||
    ('error' in value && typeof value.error === 'string')
  );
}

/** What the manifest has to hold, made from the commands in a process of its own. */
async function makeManifest(root: string, parts: ChildParts & { readonly manifest: string }): Promise<Made> {
  let made: Made | undefined;
  const request = { file: parts.manifest, args: [root], nodeArgs: [], silentMs: SILENT_MS, lingerMs: 1_000 };
  const end = await runChild(parts, request, (message) => {
    if (isMade(message)) made = message; // ours is the last
  });
  return (
    made ?? {
      error: end.stderr.trim() === '' ? 'the process that loads the commands ended' : end.stderr.trim().slice(0, 500),
    }
  );
}

/**
 * Writes the manifest. Throws KIT_PLUGIN_LOAD_FAILED when a command cannot be loaded; then nothing
 * is written.
 */
export async function writeCommandManifest(
  root: string,
  parts: ChildParts & { readonly manifest: string },
): Promise<void> {
  const made = await makeManifest(root, parts);
  if ('error' in made)
    throw new KitError('KIT_PLUGIN_LOAD_FAILED', `a command cannot be loaded: ${made.error}`, {
      hint: 'Correct the command; nothing was written.',
    });
  await writeFile(join(root, MANIFEST_FILE), `${JSON.stringify(made.manifest, null, 2)}\n`);
}

/** Compares the manifest with the commands as they are. */
export async function checkCommandManifest(
  root: string,
  parts: ChildParts & { readonly manifest: string },
): Promise<PluginCheckLine> {
  const hint = 'Run `kit plugins check <dir> --write-manifest`.';
  const made = await makeManifest(root, parts);
  if ('error' in made) return failed('commands', MANIFEST_FILE, { message: made.error, hint: 'Correct the command.' });
  try {
    const written: unknown = JSON.parse(await readFile(join(root, MANIFEST_FILE), 'utf8'));
    const isFresh = isDeepStrictEqual(written, JSON.parse(JSON.stringify(made.manifest)));
    return isFresh
      ? passed('commands', MANIFEST_FILE)
      : failed('commands', MANIFEST_FILE, { message: 'it is not what the commands say now', hint });
  } catch (error) {
    return failed('commands', MANIFEST_FILE, { message: messageOf(error), hint });
  }
}
