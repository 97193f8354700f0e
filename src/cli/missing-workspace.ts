import { relative } from 'node:path';
import type { KeptLogin } from '../app/logins/logins-app.js';
import { ERROR_REGISTRY } from '../domain/error-registry.js';
import { isKitError, KitError } from '../domain/errors.js';
import { shellWord } from '../lib/shell-word.js';
import { severalBelow, type WorkspaceChoice } from './command-place.js';
import type { KnownWords } from './misspelt.js';

/** What may have been meant in place of a directory. */
interface MeantPlaces extends Pick<KnownWords, 'flags'> {
  /** The servers for which a key is kept. */
  readonly logins: () => Promise<{ readonly kept: readonly Pick<KeptLogin, 'origin'>[] }>;
}

/** Servers that a hint names at most. */
const MAX_SERVERS = 3;

/** Directories that a hint names at most. */
const MAX_NAMED = 6;

/**
 * The refusal of a directory without a workspace, with what led there: a variable that was
 * forgotten, a directory above several, or a server that was not named where the command could ask
 * one. Any other error is given back.
 */
export async function withWorkspaceChoice(
  error: unknown,
  choice: WorkspaceChoice | null,
  { flags, logins }: MeantPlaces,
): Promise<unknown> {
  if (choice === null || !isKitError(error) || error.code !== 'KIT_WORKSPACE_NOT_FOUND') return error;
  // Whoever refused it knew better what to do.
  if (error.hint !== ERROR_REGISTRY[error.code].hint) return error;
  switch (choice.kind) {
    case 'typed':
      return error;
    case 'variable':
      return new KitError(error.code, `${error.message}; KIT_WORKSPACE names it`, {
        cause: error,
        hint: 'Correct or unset KIT_WORKSPACE, or name another directory with -w.',
      });
    case 'searched':
      if (flags.server?.hidden === true || choice.found.kind !== 'none')
        return below(error, severalBelow(choice), choice.cwd);
      return new KitError(error.code, error.message, {
        cause: error,
        hint: `${error.hint} ${await atServer(logins)}`,
      });
  }
}

/** An approver has no checkout: the flag or the variable may have been forgotten. */
async function atServer(logins: MeantPlaces['logins']): Promise<string> {
  // Keys that cannot be read are no reason to say less of the workspace.
  const { kept } = await logins().catch(() => ({ kept: [] }));
  const named = kept.slice(0, MAX_SERVERS).map(({ origin }) => `--server ${shellWord(origin)}`);
  if (named.length === 0) return 'At a server: name it with --server URL or KIT_SERVER; sign in: `kit auth login URL`.';
  const more = kept.length > named.length ? ', or another one of `kit auth status`' : '';
  return `At a server where you are signed in: add ${named.join(' or ')}${more}.`;
}

function below(error: KitError, directories: readonly string[], cwd: string): KitError {
  if (directories.length === 0) return error;
  const named = directories.slice(0, MAX_NAMED).map((directory) => `-w ${shellWord(relative(cwd, directory))}`);
  const more = directories.length > named.length ? ', ...' : '';
  return new KitError(error.code, `${error.message}, and ${directories.length} directories below it do`, {
    cause: error,
    hint: `Say which of them is meant: ${named.join(', ')}${more}`,
  });
}
