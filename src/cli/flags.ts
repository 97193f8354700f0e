import type { Interfaces } from '@oclif/core';
import * as Flags from '@oclif/core/flags';
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

/** Shared `--trust`, once for each adapter. */
export const trustFlag = Flags.string({
  multiple: true,
  multipleNonGreedy: true,
  description: 'Approve an adapter of the workspace by the digest of its spec.',
  helpValue: 'DIGEST',
});
