import type { Diagnostic } from '../../domain/diagnostic.js';
import { isKitError } from '../../domain/errors.js';
import type { Json } from '../../domain/json.js';
import type { Workspace } from '../../domain/workspace.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import type { RunSession } from '../runs/run-session.js';
import { assertPolicies } from '../submit/assert-policies.js';
import type { ReloadReport } from './serve-app.js';

/** The session of the files as they are now, or what is wrong with them. */
export type Reloaded<S> =
  | { readonly kind: 'opened'; readonly session: S; readonly report: ReloadReport }
  | { readonly kind: 'refused'; readonly report: ReloadReport };

type ReloadErrors = Extract<ReloadReport, { valid: false }>['errors'];

/**
 * Opens the workspace anew. Nothing of what runs is touched, whatever comes of it; policies that
 * cannot be used refuse it like invalid files.
 */
export async function reloadSession<S extends RunSession>(
  current: RunSession,
  open: () => Promise<S>,
): Promise<Reloaded<S>> {
  let session: S | null = null;
  try {
    session = await open();
    await assertPolicies(session.prepare.plugins, session.workspace);
  } catch (error) {
    session?.retire();
    if (!isKitError(error)) throw error;
    const errors = errorsOf(error.data?.diagnostics) ?? [{ code: error.code, message: error.message, path: null }];
    return { kind: 'refused', report: { valid: false, errors } };
  }
  const moved = whatMoved(current.workspace, session.workspace);
  if (moved === null) return { kind: 'opened', session, report: reportOf(session.workspace) };
  session.retire();
  return { kind: 'refused', report: { valid: false, errors: [moved] } };
}

/** Takes over what a reload has opened. */
export type ReloadListener = () => Promise<void> | void;

/**
 * In turn, each of them whatever becomes of the others: the new files hold for all. Throws the
 * first failure at the end.
 */
export async function runAll(listeners: Iterable<ReloadListener>): Promise<void> {
  const failures: unknown[] = [];
  for (const listener of listeners) {
    try {
      await listener();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** What a server keeps for as long as it runs; null = the files name the same. */
function whatMoved(before: Workspace, now: Workspace): ReloadErrors[number] | null {
  if (storageText(now) !== storageText(before)) return OTHER_STORAGE;
  return now.id === before.id ? null : otherId(before, now);
}

const OTHER_STORAGE = {
  code: 'KIT_STORE_UNAVAILABLE',
  message: 'storage names another place than the one this server was started with; start the server again',
  path: 'workspace.yaml',
} as const;

const otherId = (before: Workspace, after: Workspace): ReloadErrors[number] => ({
  code: 'KIT_WORKSPACE_INVALID',
  message: `metadata.id was ${before.id} when this server was started and is ${after.id} now; start the server again`,
  path: 'workspace.yaml',
});

// Settings are plain data; the type has no index signature.
const storageText = ({ storage }: Workspace): string => canonicalJson(storage as unknown as Json);

function reportOf(workspace: Workspace): ReloadReport {
  const names = (keys: Iterable<string>): readonly string[] => [...keys].sort();
  return {
    valid: true,
    topologies: names(workspace.topologies.keys()),
    skills: names(workspace.skills.keys()),
    archetypes: names(workspace.archetypes.keys()),
  };
}

function errorsOf(diagnostics: unknown): ReloadErrors | null {
  if (!Array.isArray(diagnostics)) return null;
  // `loadWorkspace` puts the list of the compiler there.
  const errors = (diagnostics as readonly Diagnostic[]).filter(({ severity }) => severity === 'error');
  return errors.length === 0 ? null : errors.map(({ code, message, path }) => ({ code, message, path }));
}
