import { KitError } from '../../domain/errors.js';
import { INTERFACE_LEVEL } from '../../domain/interface-level.js';
import type { Workspace } from '../../domain/workspace.js';
import { addressOf } from '../../view/base-url.js';
import { comprehensionOf, NO_APPROVALS } from '../../view/comprehension.js';
import { usageReport, usageSummary } from '../../view/model-usage.js';
import { spansOf } from '../../view/trace-spans.js';
import type { Capabilities, InfoApp, Inventory } from './info-app.js';
import { kindSchema } from './kind-schema.js';
import { momentBefore } from './moment-before.js';
import { readApprovals } from './read-approvals.js';
import { storageReport, storageStatus } from './storage-status.js';
import { storeGrowth } from './store-growth.js';
import type { InfoDeps } from './system-status.js';

/** What a workspace and its kit are, over parts that `boot` hands in. */
export function createInfoApp(deps: InfoDeps): InfoApp {
  return {
    storage: (workspace) => storageReport(workspace, deps),
    growth: (workspace) => storeGrowth(workspace, deps),
    storageStatus: (workspace) => storageStatus(workspace, deps),
    system: async (workspace) => (await import('./system-status.js')).systemStatus(workspace, deps),
    address: async (directory) => addressOf((await deps.loadWorkspace(directory)).server),
    authInfo: deps.authInfo,
    signInPlace: async (workspace) => (await deps.signIn(workspace))?.authorizationEndpoint() ?? null,
    signIn: async ({ workspace, ...answer }) => {
      const signIn = await deps.signIn(workspace);
      if (signIn === null)
        throw new KitError('KIT_LOGIN_FAILED', 'nobody signs in through a browser here', {
          hint: 'Set `client_id` beside the issuer of server.auth (docs/auth.md#sign-in).',
        });
      return signIn.finish(answer);
    },
    capabilities: async (directory) => capabilitiesOf(deps, directory, await deps.loadWorkspace(directory)),
    inventory: async (directory) => inventoryOf(await deps.loadWorkspace(directory)),
    offered: async (directory) => {
      const [{ offeredOf }, workspace] = await Promise.all([import('./offered.js'), deps.loadWorkspace(directory)]);
      return offeredOf(workspace);
    },
    graphs: async ({ workspace: directory, topology }) => {
      const [{ graphsOf }, workspace] = await Promise.all([import('./graphs.js'), deps.loadWorkspace(directory)]);
      return graphsOf(workspace, topology);
    },
    comprehension: async ({ workspace, fastApproveSeconds, limit, youngerThanMs }) => {
      const since = momentBefore(await deps.now(), youngerThanMs);
      const stores = await deps.openStores(workspace);
      const view = stores === null ? NO_APPROVALS : await readApprovals(stores.events, { since, keep: limit });
      return comprehensionOf(view, { thresholdSeconds: fastApproveSeconds, since });
    },
    usage: async (query) => {
      const { usageFilter } = await import('./usage-filter.js');
      const filter = usageFilter(query, await deps.now());
      const stores = await deps.openStores(query.workspace);
      return usageReport(query.by, stores === null ? [] : await stores.serving.usage(filter));
    },
    usageOf: async ({ workspace, job }) => {
      const stores = await deps.openStores(workspace);
      if (stores === null || (await stores.jobs.get(job)) === null) throw unknownRun(job);
      return usageSummary(await stores.serving.usage({ jobId: job }));
    },
    trace: async (ask) => {
      const { view } = await deps.trace(ask);
      const span = spansOf(view);
      if (span === null) throw unknownRun(ask.run);
      return span;
    },
    schema: (kind) => kindSchema(kind, deps.readSchema),
  };
}

const unknownRun = (run: string): KitError => new KitError('KIT_JOB_UNKNOWN', `there is no run ${run}`);

async function capabilitiesOf(deps: InfoDeps, directory: string, workspace: Workspace): Promise<Capabilities> {
  const [versions, providers, auth] = await Promise.all([
    deps.versions(),
    deps.providerIds(directory),
    deps.authInfo(directory),
  ]);
  return {
    serveVersion: versions.kit,
    schemaVersion: INTERFACE_LEVEL,
    role: deps.role(),
    workspaceId: workspace.id,
    workspaceName: workspace.name,
    description: workspace.description,
    organisation: workspace.organisation,
    team: workspace.team,
    annotations: workspace.annotations,
    topologies: [...new Set([...workspace.topologies.values()].map(({ name }) => name))].sort(),
    modelProviders: [...new Set(providers)].sort(),
    governanceProvider: workspace.governance.provider,
    features: {
      auth: auth.mode,
      compression: workspace.compression.backend,
      canary: workspace.server.canary.length > 0,
      a2a: workspace.server.a2a.enabled,
    },
  };
}

const inventoryOf = (workspace: Workspace): Inventory => ({
  topologies: [
    ...new Set([...workspace.topologies.keys(), ...[...workspace.topologies.values()].map(({ name }) => name)]),
  ].sort(),
  skills: [...workspace.skills.values()]
    .map(({ id, category }) => ({ id, category }))
    .sort((a, b) => (a.id < b.id ? -1 : 1)),
  archetypes: [...workspace.archetypes.keys()].sort(),
  funnels: [...workspace.funnels.keys()].sort(),
  contracts: [...workspace.contracts.keys()].sort(),
});
