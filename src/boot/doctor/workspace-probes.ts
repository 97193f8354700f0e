import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../../app/app.js';
import { behind, failWith, ok } from '../../app/doctor/checks/check.js';
import {
  checkCredential,
  checkOauthKey,
  checkProvider,
  checkSigningKey,
  type SigningKeyFacts,
} from '../../app/doctor/checks/keys.js';
import {
  checkAdapter,
  checkPlugins,
  checkSkillInputs,
  checkTopology,
  checkWorkspace,
} from '../../app/doctor/checks/workspace.js';
import type { Probe } from '../../app/doctor/run-probes.js';
import type { PreparedRun } from '../../app/submit/prepare-run.js';
import { osUser } from '../../cli/os-user.js';
import { agentsOf } from '../../compile/link/walk-agents.js';
import type { AgentNode } from '../../domain/agent-node.js';
import { isKitError, type KitError } from '../../domain/errors.js';
import type { PluginHost } from '../../domain/extension-points.js';
import { oauthKeyState } from '../../domain/oauth-key.js';
import type { StoredLogin } from '../../domain/ports/credential-source.js';
import { whichProgram } from '../../system/which-program.js';
import type { BootSession } from '../parts.js';
import { userConfigDir } from '../settings.js';
import { missingLogin } from './harness-login.js';
import { lookAtReferences, lookAtToolServers } from './skill-probes.js';

/** What looking at a workspace takes. */
export interface WorkspaceParts {
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
  readonly app: Pick<App, 'providers' | 'validateWorkspace' | 'runs'>;
  readonly host: () => Promise<Pick<PluginHost, 'report'>>;
  readonly session: () => Promise<BootSession>;
}

/** What a run of one topology would be, or why it would be refused. */
export interface PlannedTopology {
  readonly topology: string;
  readonly plan: PreparedRun | null;
  readonly refusal: KitError | null;
}

/**
 * Plans a run of each topology as `kit run --dry-run` does: what keeps one from starting is found
 * by what refuses it.
 */
export async function planTopologies({ workspace, app, session }: WorkspaceParts): Promise<readonly PlannedTopology[]> {
  const opened = await session();
  const names = [
    ...new Set([...opened.workspace.topologies.values()].map(({ name, version }) => `${name}@${version}`)),
  ].sort();
  return Promise.all(names.map((topology) => planOne(app, { workspace, topology })));
}

async function planOne(
  { runs }: Pick<App, 'runs'>,
  of: { readonly workspace: string; readonly topology: string },
): Promise<PlannedTopology> {
  const asked = {
    ...of,
    attachments: [],
    correlationId: null,
    labels: {},
    supersedes: null,
    submittedBy: { identity: osUser(), assurance: 'asserted' as const },
    timeoutMs: null,
    trust: [],
  };
  try {
    return { topology: of.topology, plan: await runs.plan(asked), refusal: null };
  } catch (error) {
    if (!isKitError(error)) throw error;
    return { topology: of.topology, plan: null, refusal: error };
  }
}

/** The workspace, its topologies, providers, credentials, harnesses, keys and plugins. */
export function workspaceProbes(
  parts: WorkspaceParts,
  planned: () => Promise<readonly PlannedTopology[]>,
): readonly Probe[] {
  const { env, session } = parts;
  /** Everything behind a broken workspace waits for it to be fixed. */
  const whole = (id: string, look: Probe['look']): Probe => ({
    id,
    look: async () => ((await isWhole(session)) ? look() : [behind(id)]),
  });
  return [
    { id: 'workspace', look: () => lookAtWorkspace(parts) },
    whole('topologies', async () => (await planned()).map(({ topology, refusal }) => checkTopology(topology, refusal))),
    whole('providers', () => lookAtProviders(parts)),
    whole('credentials', () => lookAtCredentials(session)),
    whole('tool-servers', () => lookAtToolServers(parts)),
    whole('references', () => lookAtReferences(session)),
    whole('harnesses', () => lookAtAdapters(parts)),
    { id: 'signing-key', look: async () => [checkSigningKey(await signingKeyFacts(env))] },
    { id: 'oauth-key', look: async () => [checkOauthKey(oauthKeyState(env.KIT_OAUTH_KEY))] },
    { id: 'plugins', look: async () => checkPlugins((await parts.host()).report()) },
  ];
}

/** The one check that says why the others behind it are left out. */
const lookAtWorkspace = ({ workspace, app }: WorkspaceParts) =>
  app.validateWorkspace(workspace).then(
    ({ diagnostics }) => [checkWorkspace(workspace, diagnostics), ...checkSkillInputs(workspace, diagnostics)],
    (error: unknown) => [failWith('workspace', error)],
  );

const isWhole = (session: WorkspaceParts['session']): Promise<boolean> =>
  session().then(
    () => true,
    () => false,
  );

async function lookAtProviders({ workspace, app, env, session }: WorkspaceParts) {
  const [{ providers }, opened] = await Promise.all([app.providers.list(workspace), session()]);
  // KIT_PROVIDER wins over every agent, as in a run.
  const used = env.KIT_PROVIDER
    ? new Set([env.KIT_PROVIDER])
    : new Set([...opened.workspace.topologies.values()].flatMap(({ root }) => agentsOf(root).flatMap(providerOf)));
  const found = providers.filter(({ id }) => used.has(id));
  return found.length === 0 ? [ok('providers', 'no topology uses one')] : found.map(checkProvider);
}

const providerOf = ({ executor, model }: AgentNode): readonly string[] =>
  executor.kind === 'model' && model?.provider ? [model.provider] : [];

/** Resolved as for a run; the value is dropped where it comes. */
async function lookAtCredentials(session: WorkspaceParts['session']) {
  const { workspace, credentials, plugins } = await session();
  const refs = [...workspace.credentials.keys()].sort();
  if (refs.length === 0) return [ok('credentials', 'the workspace names none')];
  return Promise.all(
    refs.map(async (ref) => {
      const id = `credential.${ref}`;
      return credentials.credential(ref).then(
        async () => {
          const { source = '', providerId = null } = workspace.credentials.get(ref) ?? {};
          return checkCredential(ref, source, await loginsOf(plugins, { ref, source: providerId ?? source }));
        },
        (error: unknown) => failWith(id, error),
      );
    }),
  );
}

/** Logins of a credential whose source has any. */
async function loginsOf(
  plugins: Pick<PluginHost, 'find' | 'resolve'>,
  { ref, source }: { readonly ref: string; readonly source: string },
): Promise<readonly StoredLogin[]> {
  if (plugins.find('credentialSources', source) === null) return [];
  return (await (await plugins.resolve('credentialSources', source, {})).status?.(ref)) ?? [];
}

/** Adapters that a run of some topology starts, whatever else keeps it from starting. */
export async function usedAdapters(session: WorkspaceParts['session']) {
  const [{ workspace, trust }, { adaptersOf, untrustedAdapters }, { workersOf }] = await Promise.all([
    session(),
    import('../../app/submit/adapter-trust.js'),
    import('../../compile/link/walk-agents.js'),
  ]);
  const found = [...workspace.topologies.values()].map(async ({ name, root }) => {
    const agents = workersOf(root, (id) => workspace.linkedFunnels.get(id));
    const adapters = adaptersOf(workspace, agents);
    const untrusted = await untrustedAdapters(trust, { workspace, adapters });
    return Object.entries(adapters).map(([id, { spec }]) => ({
      id,
      spec,
      agents,
      topology: name,
      untrusted: untrusted.find((one) => one.id === id) ?? null,
    }));
  });
  return new Map((await Promise.all(found)).flat().map((one) => [one.id, one]));
}

async function lookAtAdapters({ workspace, env, session }: WorkspaceParts) {
  const [{ programOf }, { unverified, verifiedOf }, { createAskVersion }, { childEnvironment }] = await Promise.all([
    import('../../app/submit/adapter-trust.js'),
    import('../../govern/harness/verified.js'),
    import('../../system/program-version.js'),
    import('../../system/child-env.js'),
  ]);
  const askVersion = createAskVersion({ clock: { now: Date.now }, env: childEnvironment(env) });
  const used = [...(await usedAdapters(session)).values()];
  if (used.length === 0) return [ok('harnesses', 'no topology uses one')];
  return Promise.all(
    used.map(async ({ topology, untrusted, ...use }) => {
      const { id, spec } = use;
      const binary = programOf(spec);
      const path = await whichProgram(binary, env.PATH);
      const verified = verifiedOf(spec);
      const isAsked = path !== null && untrusted === null && verified !== null;
      const said = isAsked ? await askVersion(verified.program ?? path) : null;
      return checkAdapter(workspace, {
        ...{ id, binary, path, topology, untrusted },
        unverified: isAsked ? unverified(verified, said) : null,
        login: missingLogin(use, env),
      });
    }),
  );
}

/** Looking makes no key. */
async function signingKeyFacts(env: NodeJS.ProcessEnv): Promise<SigningKeyFacts> {
  const path = join(userConfigDir(env), 'signing-key.pem');
  if (!env.KIT_SIGNING_KEY && !existsSync(path)) return { kind: 'none', path };
  const { openSigner } = await import('../signing-key.js');
  try {
    const { source, keyId } = openSigner(env);
    return { kind: 'good', source: env.KIT_SIGNING_KEY ? 'KIT_SIGNING_KEY' : source, keyId };
  } catch (error) {
    if (!isKitError(error)) throw error;
    // The variable may hold the key itself where a path belongs; a shell knows it by its name.
    const named = (text: string): string =>
      env.KIT_SIGNING_KEY ? text.replaceAll(env.KIT_SIGNING_KEY, '"$KIT_SIGNING_KEY"') : text;
    return { kind: 'bad', message: named(error.message), hint: error.hint === undefined ? null : named(error.hint) };
  }
}
