import type { Diagnostic, SourceFile } from '../domain/diagnostic.js';
import type { RoleDirectory } from '../domain/gates.js';
import { hasErrors } from './diagnostics/sort.js';
import { discoverRoles } from './discover/discover.js';
import { ofKind } from './link/registries.js';
import { roleDirectory } from './link/role-directory.js';
import { maskDiagnostics } from './mask-diagnostics.js';
import { type Names, readArtifacts } from './read-artifacts.js';
import { makeReport } from './report.js';
import { checkRoles } from './rules/roles.js';

/** The role registry as its files say it, or why they say none. */
export interface CompiledRoles {
  /**
   * Null when anything is an error: half a registry could let the wrong person decide, or nobody.
   */
  readonly roles: RoleDirectory | null;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compiles role files alone, for a decision that is made while the rest of the workspace may be
 * broken: they name nothing outside themselves. The files go through the compiler as ever: place,
 * syntax, `${VAR}`, schema, rules.
 */
export function compileRoles(sources: readonly SourceFile[], names: Names): CompiledRoles {
  const { artifacts, diagnostics, secrets } = readArtifacts(discoverRoles(sources), names);
  if (artifacts === null) return { roles: null, diagnostics: maskDiagnostics(diagnostics, secrets) };
  const report = makeReport();
  const roles = ofKind(artifacts, 'RoleRegistry');
  checkRoles(roles, report);
  const all = maskDiagnostics([...diagnostics, ...report.diagnostics], secrets);
  return { roles: hasErrors(all) ? null : roleDirectory(roles), diagnostics: all };
}
