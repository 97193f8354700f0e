import { KitError } from '../../domain/errors.js';
import type { RoleDirectory } from '../../domain/gates.js';
import type { Files } from '../../domain/ports/system.js';
import { openWorkspaceFiles, readFolder, readPropertyFile } from '../workspace-files.js';

/** What reading the live role registry needs from outside. */
export interface ReadRolesDeps {
  readonly files: Files;
  /** The raw environment: for `${VAR}` and `KIT_ENV`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * The role registry as its files stand now: read and compiled anew by every call, because
 * membership counts at the instant of a decision (docs/design/journal.md#live). Nothing else of the
 * workspace is read: other artifacts may be broken, or half edited. A workspace without role files
 * has an empty registry.
 *
 * Throws KIT_WORKSPACE_NOT_FOUND, and KIT_WORKSPACE_INVALID for role files that cannot be read or
 * have an error: nobody decides then.
 */
export async function readRoleFiles(directory: string, deps: ReadRolesDeps): Promise<RoleDirectory> {
  const place = await openWorkspaceFiles(directory, deps.files);
  const [sources, propertyFile, { compileRoles }] = await Promise.all([
    readFolder(place, 'roles'),
    readPropertyFile(place, deps.environment.KIT_ENV ?? null),
    import('../../compile/compile-workspace.js'),
  ]);
  const { roles, diagnostics } = compileRoles(sources, { propertyFile, environment: (name) => deps.environment[name] });
  if (roles !== null) return roles;
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  const first = errors[0];
  throw new KitError(
    'KIT_WORKSPACE_INVALID',
    `nobody can decide: the role registry has an error${first === undefined ? '' : `: ${first.path}: ${first.message}`}`,
    {
      hint: 'Run `kit validate`, fix the role files and decide again.',
      data: { diagnostics },
    },
  );
}
