import type { RunSession } from '../app/runs/run-session.js';
import { asksForContainers } from '../domain/container-runtime.js';
import type { PluginHost } from '../domain/extension-points.js';
import type { Job } from '../domain/job.js';
import type { ChildRuns } from '../domain/ports/child-runs.js';
import type { LimiterHome, ModelLimiter } from '../domain/ports/limiter.js';
import type { AskVersion } from '../domain/ports/programs.js';
import type { RemoteAgents, RemoteTasks } from '../domain/ports/remote-agents.js';
import type { Stores } from '../domain/ports/stores.js';
import type { RunSnapshot } from '../domain/snapshot.js';
import type { Workspace } from '../domain/workspace.js';
import type { CredentialService } from '../host/secrets.js';
import type { LoadSchemas } from '../lib/json-schema.js';
import { lazily } from '../lib/lazily.js';
import type { RunFacilities } from '../worker/facilities.js';
import type { BootSession, OpenedFacilities, SessionParts } from './parts.js';
import { isOn } from './settings.js';
import { worktreePlaces } from './state-dir.js';

type Opened = Pick<RunSession, 'workspace'> & {
  readonly host: PluginHost;
  readonly credentials: CredentialService;
  readonly schemas: LoadSchemas;
  readonly stateDir: string;
  readonly askVersion: AskVersion;
  /** Some credential has a source that a plugin brings. */
  readonly hasForeignCredentials: boolean;
  /** KIT_OAUTH_RUN_WINDOW_S. */
  readonly windowS: number;
  /** KIT_DEBUG_PROMPTS. */
  readonly keptPrompts: number;
  /** Once it is open. */
  readonly session: () => BootSession;
};

/** What the operator says of containers. */
const containersOf = (env: NodeJS.ProcessEnv) => ({
  runtime: env.KIT_CONTAINER_RUNTIME || null,
  image: env.KIT_HARNESS_IMAGE || null,
  isDisabled: isOn(env.KIT_DISABLE_CONTAINER_SANDBOX),
});

/** Removes what dead processes left, where a run of the workspace may ask for a container. */
export const containerSweep = (env: NodeJS.ProcessEnv, workspace: Workspace) => async (): Promise<number> =>
  asksForContainers(workspace)
    ? (await import('./sweep-containers.js')).sweepContainers({ env, cwd: workspace.root })
    : 0;

/** How each run of a session comes to what it calls outside. */
export async function facilitiesOpener(parts: SessionParts, opened: Opened): Promise<OpenedFacilities> {
  const [
    { createProcesses },
    { createWorktrees },
    { childEnvironment },
    { containerOwner, readWorkerHost },
    { nodeFiles },
    { openRunFacilities },
    { runServers },
  ] = await Promise.all([
    import('../system/processes/processes.js'),
    import('../system/worktrees/worktrees.js'),
    import('../system/child-env.js'),
    import('../system/worker-host.js'),
    import('../system/files.js'),
    import('./run-facilities.js'),
    import('./run-servers.js'),
  ]);
  const childEnv = childEnvironment(parts.env);
  const here = readWorkerHost();
  const owner = containerOwner(here);
  const live = {
    workspace: opened.workspace,
    plugins: opened.host,
    credentials: opened.credentials,
    processes: createProcesses(),
    worktrees: createWorktrees({
      env: childEnv,
      owner: here,
      store: opened.stateDir,
      ...worktreePlaces(opened.stateDir, parts.env),
    }),
    childEnv,
    containers: { ...containersOf(parts.env), owner, addressesOf: parts.outbound.addressesOf(opened.workspace.root) },
    readRoles: async () => {
      const { readRoleFiles } = await import('../app/review/read-roles.js');
      return readRoleFiles(opened.workspace.root, { files: nodeFiles, environment: parts.env });
    },
    schemas: opened.schemas,
    clock: parts.clock,
    log: parts.log,
    onText: parts.texts.publish,
    askVersion: opened.askVersion,
  };
  const containers = { runtime: parts.env.KIT_CONTAINER_RUNTIME || null, image: parts.env.KIT_SANDBOX_IMAGE || null };
  const { openServers, close: closeServers } = runServers(
    { ...live, containers, containerOwner: owner, addressesOf: live.containers.addressesOf },
    parts.sharedServers,
  );
  const { root } = opened.workspace;
  const limiter = parts.limiters.get(root) ?? lazyLimiter(parts, () => opened.session().openStores());
  parts.limiters.set(root, limiter);
  const fetch = parts.outbound.fetchOf(opened.workspace.root);
  const calledWith = { workspace: opened.workspace, plugins: opened.host, credentials: opened.credentials };
  /** Whom a run calls: other runs, and agents that run elsewhere. */
  const calling = (job: Job, snapshot: RunSnapshot): Pick<RunFacilities, 'children' | 'remoteAgents'> => {
    const children = lazily<ChildRuns>(async () =>
      (await import('./child-runs.js')).openChildRuns(parts, opened.session(), { job, snapshot }),
    );
    const remoteAgents = lazily<RemoteAgents>(async () =>
      (await import('./remote-agents.js')).openRemoteAgents({
        ...{ ...calledWith, fetch, job, children },
      }),
    );
    return { children, remoteAgents };
  };
  const tasks = async () => (await import('./remote-agents.js')).openRemoteTasks({ ...calledWith, fetch });
  const remoteTasks: RemoteTasks = {
    get: async (agent, to, task) => (await tasks()).get(agent, to, task),
    async *follow(agent, to, task) {
      yield* (await tasks()).follow(agent, to, task);
    },
    cancel: async (agent, to, task) => (await tasks()).cancel(agent, to, task),
  };
  const open: RunSession['openFacilities'] = async (job, snapshot) => {
    if (opened.hasForeignCredentials) {
      const { prepareCredentials } = await import('./prepare-credentials.js');
      await prepareCredentials(opened, snapshot);
    }
    return {
      ...(await openRunFacilities({ ...live, servers: openServers }, { job, snapshot })),
      limiter,
      ...calling(job, snapshot),
      remoteTasks,
    };
  };
  const count = opened.keptPrompts;
  const opening = { openServers, closeServers, remoteTasks };
  if (count === 0) return { ...opening, openFacilities: open };
  const { keepPrompts } = await import('./keep-prompts.js');
  const keeping = { openStores: () => opened.session().openStores(), log: parts.log, count };
  return {
    ...opening,
    openFacilities: async (job, snapshot) => keepPrompts(await open(job, snapshot), job, keeping),
  };
}

/**
 * Few runs ask a provider whose requests are bounded. Processes of one PostgreSQL database share
 * its limits; a file belongs to one process that works.
 */
function lazyLimiter(
  { clock, log, ids }: Pick<SessionParts, 'clock' | 'log' | 'ids'>,
  openStores: () => Promise<Stores>,
): ModelLimiter {
  let opening: Promise<ModelLimiter> | undefined;
  let opened: ModelLimiter | undefined;
  const open = async (): Promise<ModelLimiter> => {
    const [{ createModelLimiter }, { backend, serving }] = await Promise.all([
      import('../worker/limiter/model-limiter.js'),
      openStores(),
    ]);
    const shared: LimiterHome = (account, ask) => serving.shareLimit(account, ask);
    const own = { clock, log, holder: ids.workerId(), random: Math.random };
    opened = createModelLimiter(backend === 'postgres' ? { ...own, shared } : own);
    return opened;
  };
  const whenOpen = (): Promise<ModelLimiter> => {
    opening ??= open();
    return opening;
  };
  return {
    permit: async (request) => (opened ?? (await whenOpen())).permit(request),
    // Nobody waits before it is open.
    waitOf: (account) => opened?.waitOf(account) ?? { reason: 'in_flight', untilMs: null },
  };
}
