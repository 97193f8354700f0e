import { relative } from 'node:path';
import { ERROR_REGISTRY } from '../domain/error-registry.js';
import { isKitError, KitError } from '../domain/errors.js';
import { shellWord } from '../lib/shell-word.js';
import { severalBelow, type WorkspaceChoice } from './found-workspace.js';

/** Directories that a hint names at most. */
const MAX_NAMED = 6;

/**
 * The refusal of a directory without a workspace, with what led there: a variable that was
 * forgotten, or a directory above several. Any other error is given back.
 */
export function withWorkspaceChoice(error: unknown, choice: WorkspaceChoice | null): unknown {
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
      return below(error, severalBelow(choice), choice.cwd);
  }
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
