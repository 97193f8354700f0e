import * as Flags from '@oclif/core/flags';
import { KitError } from '../domain/errors.js';
import type { PastePlace } from '../lib/shell-word.js';
import { osUser } from './os-user.js';
import type { ProcessSettings, SetIdentity } from './process-settings.js';

/**
 * Shared `--as`; the description says who that is for the command, and who it is without the flag.
 * Read it with `whoActs`.
 */
export const identityFlag = (description: string) => Flags.string({ description, helpValue: 'IDENTITY' });

/** Who acts, and what says so. */
export interface Who {
  readonly identity: string;
  readonly from: SetIdentity['from'] | '--as' | 'the OS user';
  /** At a server, where `--as` is refused: how somebody else acts there, as a sentence. */
  readonly otherwise?: string;
}

/**
 * Who acts: `--as`, else KIT_IDENTITY, else `kit config set identity`, else the fallback, by
 * default the OS user. Throws KIT_USAGE for a name that names nobody.
 */
export function whoActs(settings: Pick<ProcessSettings, 'identity'>, as: string | undefined, fallback?: string): Who {
  if (as?.trim() === '') throw new KitError('KIT_USAGE', '--as names nobody', { hint: 'Write --as <identity>.' });
  if (as !== undefined) return { identity: as, from: '--as' };
  const set = settings.identity();
  if (set?.identity.trim() === '')
    throw new KitError('KIT_USAGE', `${set.from} names nobody`, { hint: 'Write --as <identity>.' });
  return set ?? { identity: fallback ?? osUser(), from: 'the OS user' };
}

/** A server says who acts, whoever is named. */
export const isAtServer = (settings: Pick<ProcessSettings, 'identity'>): boolean =>
  settings.identity()?.from === 'the server';

/**
 * How commands to paste name the workspace: as the user did. Where nobody named it (''), KIT_SERVER
 * may have.
 */
export const pastePlace = (
  settings: Pick<ProcessSettings, 'identity' | 'server'>,
  named: string | null | undefined,
): PastePlace => named || (isAtServer(settings) ? { inherited: settings.server ?? '' } : '');
