import * as Flags from '@oclif/core/flags';
import { KitError } from '../domain/errors.js';
import { osUser } from './os-user.js';

/**
 * Shared `--as`; the description says who that is for the command, and who it is without the flag.
 * Read it with `identityOf`.
 */
export const identityFlag = (description: string) => Flags.string({ description, helpValue: 'IDENTITY' });

/**
 * Who was named with `--as`; without it the fallback, by default the OS user. Throws KIT_USAGE for
 * a name that names nobody.
 */
export function identityOf(as: string | undefined, fallback?: string): string {
  if (as?.trim() === '') throw new KitError('KIT_USAGE', '--as names nobody', { hint: 'Write --as <identity>.' });
  return as ?? fallback ?? osUser();
}
