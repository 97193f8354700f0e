import type { EditingDeps } from '../app/editing/create-editing-app.js';
import type { Clock, Log } from '../domain/ports/system.js';
import type { VaultParts } from '../host/vault.js';
import { noVault, vaultParts } from './open-vault.js';
import type { AppParts, OpenedEditing, Outbound, Plugins, Runs } from './parts.js';

/**
 * A vault that takes longer counts as one that gives nothing: a page of settings waits for nobody.
 */
const RESOLVE_TIMEOUT_MS = 5_000;

/** What changing a workspace has to do with those that run it. */
export interface EditingAround {
  readonly reload: EditingDeps['reload'];
  readonly fetchOf: Outbound['fetchOf'];
  readonly runs: Pick<Runs, 'observe'>;
}

/** Wires the use cases of changing a workspace. */
export async function openEditing(parts: AppParts, plugins: Plugins, around: EditingAround): Promise<OpenedEditing> {
  const [
    { createAlone, createEditingApp },
    { createFileEdits },
    { createClock },
    { createLog },
    { workspaceDeps },
    { lazyJsonSchemas },
  ] = await Promise.all([
    import('../app/editing/create-editing-app.js'),
    import('../system/file-edits.js'),
    import('../system/clock.js'),
    import('../system/log.js'),
    import('./open-session.js'),
    import('../lib/json-schema.js'),
  ]);
  const { env } = parts;
  const clock = createClock();
  const log = createLog({ clock, level: parts.settings.verbose ? 'info' : 'warn', write: parts.logLines.write });
  const deps: EditingDeps = {
    compile: { ...(await workspaceDeps({ env, host: plugins.host })), schemas: lazyJsonSchemas() },
    edits: createFileEdits(),
    reload: around.reload,
    log,
    resolves: (workspace, refs) => resolvesOf(workspace, refs, { env, clock, log, openHost: plugins.openHost, around }),
    maskOf: async (workspace) => (await import('./known-secrets.js')).maskOfWorkspace(workspace, { env, log }),
  };
  const alone = createAlone(deps);
  return { editing: createEditingApp(deps, alone), deps, alone };
}

interface ResolveParts {
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly log: Log;
  readonly openHost: Plugins['openHost'];
  readonly around: EditingAround;
}

/** Looking makes no store: where there is none, nobody has logged in. */
function vaultOfExisting(
  workspace: string,
  { env, log, around }: Pick<ResolveParts, 'env' | 'log' | 'around'>,
): () => VaultParts {
  const openExisting = async () => (await around.runs.observe()).openStores(workspace);
  const openStores = async () => (await openExisting()) ?? noVault();
  const parts = vaultParts({ env, log, openStores, openExisting });
  return () => parts;
}

/** Asks each source once; the values go nowhere. */
async function resolvesOf(
  workspace: string,
  refs: readonly string[],
  { env, clock, log, openHost, around }: ResolveParts,
): Promise<ReadonlyMap<string, boolean>> {
  if (refs.length === 0) return new Map();
  const [{ readWorkspace }, { openWorkspaceHost }, { nodeFiles }, { withTimeLimit }] = await Promise.all([
    import('./known-secrets.js'),
    import('./workspace-host.js'),
    import('../system/files.js'),
    import('../host/time-limit.js'),
  ]);
  const known = await readWorkspace(workspace, env);
  const { host, credentials } = await openWorkspaceHost({
    env,
    log,
    files: nodeFiles,
    openHost,
    vault: vaultOfExisting(workspace, { env, log, around }),
    outbound: { fetchOf: around.fetchOf },
    workspace: known,
  });
  try {
    const asked = refs.map(async (ref) => {
      const value = withTimeLimit(
        clock,
        RESOLVE_TIMEOUT_MS,
        credentials.credential(ref),
        () => new Error('no answer in time'),
      );
      return [
        ref,
        await value.then(
          () => true,
          () => false,
        ),
      ] as const;
    });
    return new Map(await Promise.all(asked));
  } finally {
    await host.dispose();
  }
}
