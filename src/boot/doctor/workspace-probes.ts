import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../../app/app.js';
import { failWith, ok, skipped } from '../../app/doctor/checks/check.js';
import { checkOauthKey, checkProvider, checkSigningKey, type SigningKeyFacts } from '../../app/doctor/checks/keys.js';
import { type AdapterFacts, checkAdapter, checkPlugins, checkTopology, checkWorkspace } from '../../app/doctor/checks/workspace.js';
import type { Probe } from '../../app/doctor/run-probes.js';
import type { PreparedRun } from '../../app/submit/prepare-run.js';
import { osUser } from '../../cli/os-user.js';
import { isKitError, type KitError } from '../../domain/errors.js';
import type { PluginHost } from '../../domain/extension-points.js';
import type { AgentNode } from '../../domain/workspace.js';
import type { BootSession } from '../open-session.js';
import { userConfigDir } from '../trust-file.js';
import { whichProgram } from './ask-program.js';

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

/** Plans a run of each topology as `kit run --dry-run` does: what keeps one from starting is found by what refuses it. */
export async function planTopologies({ workspace, app, session }: WorkspaceParts): Promise<readonly PlannedTopology[]> {
  const opened = await session();
  const names = [...new Set([...opened.workspace.topologies.values()].map(({ name, version }) => `${name}@${version}`))].sort();
  return Promise.all(names.map((topology) => planOne(app, { workspace, topology })));
}

async function planOne({ runs }: Pick<App, 'runs'>, of: { readonly workspace: string; readonly topology: string }): Promise<PlannedTopology> {
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
export function workspaceProbes(parts: WorkspaceParts, planned: () => Promise<readonly PlannedTopology[]>): readonly Probe[] {
  const { workspace, app, env, session } = parts;
  /** Everything behind a broken workspace waits for it to be mended. */
  const whole = (id: string, look: Probe['look']): Probe => ({
    id,
    look: async () => ((await isWhole(session)) ? look() : [skipped(id, 'the workspace has to be mended first')]),
  });
  return [
    { id: 'workspace', look: async () => [checkWorkspace(workspace, (await app.validateWorkspace(workspace)).diagnostics)] },
    whole('topologies', async () => (await planned()).map(({ topology, refusal }) => checkTopology(topology, refusal))),
    whole('providers', () => lookAtProviders(parts)),
    whole('credentials', () => lookAtCredentials(session)),
    whole('harnesses', () => lookAtAdapters(parts, planned)),
    { id: 'signing-key', look: async () => [checkSigningKey(await signingKeyFacts(env))] },
    { id: 'oauth-key', look: async () => [checkOauthKey(Boolean(env.KIT_OAUTH_KEY))] },
    { id: 'plugins', look: async () => checkPlugins((await parts.host()).report()) },
  ];
}

const isWhole = (session: WorkspaceParts['session']): Promise<boolean> =>
  session().then(
    () => true,
    () => false,
  );

async function lookAtProviders({ workspace, app, env, session }: WorkspaceParts) {
  const [{ providers }, opened] = await Promise.all([app.providers.list(workspace), session()]);
  const roots = [...opened.workspace.topologies.values()].map(({ root }) => root);
  // KIT_PROVIDER wins over every agent, as in a run.
  const used = env.KIT_PROVIDER ? new Set([env.KIT_PROVIDER]) : new Set(roots.flatMap(providersOf));
  const found = providers.filter(({ id }) => used.has(id));
  return found.length === 0 ? [ok('providers', 'no topology uses one')] : found.map(checkProvider);
}

const providersOf = (node: AgentNode): readonly string[] => [
  ...(node.executor.kind === 'model' && node.model?.provider ? [node.model.provider] : []),
  ...node.children.flatMap(providersOf),
];

/** Resolved as for a run; the value is dropped where it comes. */
async function lookAtCredentials(session: WorkspaceParts['session']) {
  const { workspace, credentials } = await session();
  const refs = [...workspace.credentials.keys()].sort();
  if (refs.length === 0) return [ok('credentials', 'the workspace names none')];
  return Promise.all(
    refs.map(async (ref) => {
      const id = `credential.${ref}`;
      return credentials.credential(ref).then(
        () => ok(id, `its ${workspace.credentials.get(ref)?.source ?? ''} source gives a value`),
        (error: unknown) => failWith(id, error),
      );
    }),
  );
}

async function lookAtAdapters({ workspace, env }: WorkspaceParts, planned: () => Promise<readonly PlannedTopology[]>) {
  const facts = new Map<string, AdapterFacts>();
  for (const { topology, plan } of await planned()) {
    for (const [id, { spec }] of Object.entries(plan?.snapshot.adapters ?? {})) {
      const binary = binaryOf(spec.launch);
      const path = await whichProgram(binary, env.PATH);
      facts.set(id, {
        id,
        binary,
        path,
        topology: topology.split('@')[0] ?? topology,
        untrusted: plan?.untrusted.find((one) => one.id === id) ?? null,
      });
    }
  }
  return facts.size === 0 ? [ok('harnesses', 'no topology that can start uses one')] : [...facts.values()].map((one) => checkAdapter(workspace, one));
}

/** `{runtime.node}` is this Node. */
function binaryOf(launch: unknown): string {
  const command = typeof launch === 'object' && launch !== null && 'command' in launch ? launch.command : null;
  const first: unknown = Array.isArray(command) ? command[0] : null;
  return first === '{runtime.node}' ? process.execPath : String(first);
}

/** Looking makes no key. */
async function signingKeyFacts(env: NodeJS.ProcessEnv): Promise<SigningKeyFacts> {
  const path = join(userConfigDir(env), 'signing-key.pem');
  if (!env.KIT_SIGNING_KEY && !existsSync(path)) return { kind: 'none', path };
  const { openSigner } = await import('../signing-key.js');
  try {
    const { source, keyId } = openSigner(env);
    return { kind: 'good', source, keyId };
  } catch (error) {
    if (!isKitError(error)) throw error;
    return { kind: 'bad', message: error.message, hint: error.hint ?? null };
  }
}
