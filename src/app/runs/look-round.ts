import { workersOf } from '../../compile/link/walk-agents.js';
import { isKitError } from '../../domain/errors.js';
import { missingNeeds } from '../../domain/missing-needs.js';
import type { Log } from '../../domain/ports/system.js';
import type { ProviderBinding } from '../../domain/snapshot.js';
import type { Workspace } from '../../domain/workspace.js';
import { findFunnel } from '../submit/freeze.js';
import { bindProvider } from '../submit/provider-binding.js';
import { referencesOf } from '../submit/references-of.js';
import type { RunSession } from './run-session.js';

/**
 * What a server or worker does before its first run: it says what it lacks, and removes the
 * containers that dead processes left on this machine.
 */
export async function lookRound(session: RunSession, log: Pick<Log, 'warn'>): Promise<void> {
  const [removed] = await Promise.all([session.sweepContainers(), warnOfLacks(session, log)]);
  if (removed > 0) log.warn('containers that a dead process of kit had left were removed', { removed });
}

/**
 * Says at the start of a server or worker what runs of the workspace refer to and this process
 * lacks: runs that began with it are left to others. Adapters are not among it, because a workspace
 * has more of them than it uses.
 */
async function warnOfLacks(session: RunSession, log: Pick<Log, 'warn'>): Promise<void> {
  const { workspace, prepare } = session;
  const references = referencesOf({
    providers: providersOf(session),
    servers: Object.fromEntries(workspace.servers),
    skills: Object.fromEntries(workspace.skills),
    adapters: {},
  });
  const found = await prepare.findReferences(Object.keys(references));
  const nothing = { plugins: {}, adapters: {} };
  for (const lack of missingNeeds({ ...nothing, references }, { ...nothing, references: found }))
    log.warn(`${lack}; a run that began where it is there is left to another process`);
}

/** Those that agents name; one that cannot be bound refuses its runs when they are submitted. */
function providersOf({ workspace, prepare }: RunSession): Record<string, ProviderBinding> {
  const named = [...workspace.topologies.values()].flatMap(({ root }) =>
    workersOf(root, findFunnel(workspace)).flatMap(({ id, executor, model }) =>
      executor.kind === 'model' ? [model.provider, model.toolProvider].map((provider) => ({ user: id, provider })) : [],
    ),
  );
  const bound: Record<string, ProviderBinding> = {};
  for (const { user, provider } of named) {
    if (provider === null || Object.hasOwn(bound, provider)) continue;
    const binding = bindingOf({ workspace, plugins: prepare.plugins }, { id: provider, user });
    if (binding !== null) bound[provider] = binding;
  }
  return bound;
}

function bindingOf(
  deps: { readonly workspace: Workspace; readonly plugins: RunSession['prepare']['plugins'] },
  wanted: { readonly id: string; readonly user: string },
): ProviderBinding | null {
  try {
    return bindProvider(deps, wanted).binding;
  } catch (error) {
    if (isKitError(error)) return null;
    throw error;
  }
}
