import { writeFile } from 'node:fs/promises';
import type { Interfaces } from '@oclif/core';
import * as Flags from '@oclif/core/flags';
import type { ErrorCode } from '../domain/error-registry.js';
import { KitError } from '../domain/errors.js';

// The parser's building blocks, re-exported so that a plugin needs no dependency of its own.
export * as Args from '@oclif/core/args';
export { Flags };

/** The values of the flags of a command, or of a part of them. */
export type FlagsOf<C extends { readonly flags: Interfaces.FlagInput }> = Interfaces.InferredFlags<C['flags']>;

/**
 * The value of a flag that takes a count; `min` default 0. Throws KIT_USAGE naming the flag and its
 * bounds.
 */
export function wholeNumber(
  text: string,
  { flag, min = 0, max }: { readonly flag: string; readonly min?: number; readonly max: number },
): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max))
    throw new KitError('KIT_USAGE', `--${flag} takes a whole number from ${min} to ${max}, not "${text}"`);
  return value;
}

/** Throws KIT_USAGE for an `--output` without a name, and for `-` (stdout) beside `--json`. */
export function assertOutput(output: string | undefined, isJson: boolean): void {
  if (output === '')
    throw new KitError('KIT_USAGE', '--output names no file', { hint: 'Write --output FILE, or leave it out.' });
  if (output === '-' && isJson)
    throw new KitError('KIT_USAGE', '--json and --output - both want stdout', { hint: 'Name a file with --output.' });
}

/**
 * Throws what `exists` says for a file that is there, and KIT_USAGE for a place where none can be
 * written.
 */
export async function writeOutput(
  file: string,
  content: string | Uint8Array,
  { force, exists }: { readonly force: boolean; readonly exists: { readonly code: ErrorCode; readonly hint?: string } },
): Promise<void> {
  try {
    await writeFile(file, content, { flag: force ? 'w' : 'wx' });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null;
    const { hint } = exists;
    if (code === 'EEXIST')
      throw new KitError(exists.code, `${file} exists`, { cause, ...(hint === undefined ? {} : { hint }) });
    const why = 'Name a file in a directory that exists.';
    throw new KitError('KIT_USAGE', `${file} cannot be written (${String(code ?? cause)})`, { hint: why, cause });
  }
}

/** Shared `--trust`, once for each adapter. */
export const trustFlag = Flags.string({
  multiple: true,
  multipleNonGreedy: true,
  description: 'Approve an adapter of the workspace by the digest of its spec.',
  helpValue: 'DIGEST',
});
