import { isBundled } from '../../compile/builtin/bundled.js';
import { adapterRefsOf, workersOf } from '../../compile/link/walk-agents.js';
import type { AgentNode } from '../../domain/agent-node.js';
import { KitError } from '../../domain/errors.js';
import { handedOver } from '../../domain/harness-call.js';
import type { JsonObject } from '../../domain/json.js';
import type { RunSnapshot } from '../../domain/snapshot.js';
import type { Workspace } from '../../domain/workspace.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { sha256Hex } from '../../lib/sha256.js';
import { visible } from '../../lib/shell-word.js';

/**
 * Records which adapter specs a person approved. Lies in the user's config directory, outside any
 * workspace (docs/design/journal.md#outside-the-workspace).
 */
export interface TrustStore {
  has(entry: TrustEntry): Promise<boolean>;
  /** Keeps the spec, with who approved it and when, for whoever looks at the next change of it. */
  add(entry: TrustEntry, spec: JsonObject): Promise<void>;
  /** The newest approval of an adapter, whatever its spec was; null = there is none. */
  last(of: Pick<TrustEntry, 'workspace' | 'adapter'>): Promise<TrustRecord | null>;
}

/** What is kept of an approval; null in those of before it was kept. */
export interface TrustRecord {
  readonly fingerprint: string;
  readonly by: string | null;
  /** ISO 8601 UTC. */
  readonly at: string | null;
  readonly spec: JsonObject | null;
}

/** One approval: it holds for this adapter, of this workspace, with exactly this spec. */
export interface TrustEntry {
  /** Absolute workspace directory. */
  readonly workspace: string;
  readonly adapter: string;
  /** Digest of the launch-relevant spec. */
  readonly digest: string;
}

/** One adapter of the workspace that nobody approved yet. */
export interface UntrustedAdapter {
  readonly id: string;
  readonly digest: string;
  readonly path: string;
  readonly command: readonly string[];
  /** The variable that its program would be handed, where that is what nobody approved. */
  readonly variable: string | null;
}

type Adapter = NonNullable<ReturnType<Workspace['adapters']['get']>>;

/** An adapter's spec is plain JSON by its schema. */
export const specOf = ({ raw }: Adapter): JsonObject => raw.spec as unknown as JsonObject;

/** By the spec as it was read: a changed file is read as another one. */
const digests = new WeakMap<JsonObject, string>();

/**
 * Digest over the whole spec: everything in it can change what is executed
 * (docs/design/execution.md#adapter-digest).
 */
export function adapterDigest(spec: JsonObject): string {
  const digest = digests.get(spec) ?? sha256Hex(canonicalJson(spec));
  digests.set(spec, digest);
  return digest;
}

/** Adapters that these agents use, as the snapshot freezes them. */
export function adaptersOf(workspace: Workspace, agents: readonly AgentNode[]): RunSnapshot['adapters'] {
  const env = variablesByAdapter(agents);
  const entries = [...adapterRefsOf(agents)].flatMap((id) => {
    const artifact = workspace.adapters.get(id);
    if (artifact === undefined) return [];
    const spec = specOf(artifact);
    const source = isBundled(artifact) ? ('bundled' as const) : ('workspace' as const);
    const names = env.get(id) ?? [];
    const adapter = { spec, digest: adapterDigest(spec), source };
    return [[id, names.length === 0 ? adapter : { ...adapter, env: names }] as const];
  });
  return Object.fromEntries(entries);
}

/** Variables that agents hand to the program of each adapter, in order. */
function variablesByAdapter(agents: readonly AgentNode[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { executor } of agents) {
    if (executor.kind !== 'harness') continue;
    const names = [...(found.get(executor.ref) ?? []), ...handedOver(executor.config)];
    found.set(executor.ref, [...new Set(names)].sort());
  }
  return found;
}

/** The same of everybody who works in a workspace. */
export const handedVariables = (workspace: Workspace): ReadonlyMap<string, readonly string[]> =>
  variablesByAdapter(
    [...workspace.topologies.values()].flatMap(({ root }) =>
      workersOf(root, (funnel) => workspace.linkedFunnels.get(funnel)),
    ),
  );

/**
 * The approval of one variable: for this adapter as it is, or for one that kit brings, whatever it
 * becomes with a newer kit.
 */
const variableEntry = (
  { workspace, id, digest }: { readonly workspace: Workspace; readonly id: string; readonly digest: string },
  name: string,
): TrustEntry => {
  const artifact = workspace.adapters.get(id);
  const of = artifact !== undefined && isBundled(artifact) ? 'bundled' : digest;
  return { workspace: workspace.root, adapter: `${id}#${name}`, digest: sha256Hex(canonicalJson({ id, of, name })) };
};

/**
 * Adapters that nobody approved as they will be started. Only what kit brings itself, unchanged,
 * needs no approval: neither the origin nor the digest that a snapshot states is believed, because
 * the store lies in the workspace.
 */
export async function untrustedAdapters(
  trust: TrustStore,
  of: {
    readonly workspace: Workspace;
    readonly adapters: Readonly<Record<string, Pick<RunSnapshot['adapters'][string], 'spec' | 'env'>>>;
  },
): Promise<readonly UntrustedAdapter[]> {
  const found: UntrustedAdapter[] = [];
  const { workspace } = of;
  for (const [id, { spec, env = [] }] of Object.entries(of.adapters)) {
    const digest = adapterDigest(spec);
    const path = workspace.adapters.get(id)?.path ?? 'only in the recorded run';
    if (!(await isApproved(trust, { workspace, id, spec })))
      found.push({ id, digest, path, command: commandOf(spec), variable: null });
    for (const name of env) {
      const entry = variableEntry({ workspace, id, digest }, name);
      if (await trust.has(entry)) continue;
      found.push({ id, digest: entry.digest, path, command: commandOf(spec), variable: name });
    }
  }
  return found;
}

/** True for what kit brings itself, unchanged, and for what a person approved. */
export async function isApproved(
  trust: TrustStore,
  { workspace, id, spec }: { readonly workspace: Workspace; readonly id: string; readonly spec: JsonObject },
): Promise<boolean> {
  const digest = adapterDigest(spec);
  const artifact = workspace.adapters.get(id);
  const isOurs = artifact !== undefined && isBundled(artifact) && adapterDigest(specOf(artifact)) === digest;
  return isOurs || trust.has({ workspace: workspace.root, adapter: id, digest });
}

/** First word of the command line; `{runtime.node}` is the Node that runs kit. */
export function programOf(spec: JsonObject): string {
  const [first = ''] = commandOf(spec);
  return first === '{runtime.node}' ? process.execPath : first;
}

function commandOf(spec: JsonObject): readonly string[] {
  const launch = spec.launch;
  const command = typeof launch === 'object' && launch !== null && 'command' in launch ? launch.command : null;
  return Array.isArray(command) ? command.map(String) : [];
}

/**
 * Records the approvals that a person gave with `--trust <digest>`, and refuses the rest.
 *
 * Throws KIT_ADAPTER_UNTRUSTED, and KIT_USAGE for a digest that no adapter of the run has.
 */
export async function approveOrRefuse(
  trust: TrustStore,
  of: {
    readonly workspace: Workspace;
    readonly adapters: RunSnapshot['adapters'];
    readonly digests: readonly string[];
  },
): Promise<void> {
  const unapproved = await untrustedAdapters(trust, of);
  const left = unapproved.filter((adapter) => !of.digests.includes(adapter.digest));
  if (left.length > 0) throw adapterRefused(left);
  const known = Object.entries(of.adapters).flatMap(([id, { spec, env = [] }]) => {
    const digest = adapterDigest(spec);
    const { workspace } = of;
    return [digest, ...env.map((name) => variableEntry({ workspace, id, digest }, name).digest)];
  });
  const stray = of.digests.filter((digest) => !known.includes(digest));
  if (stray.length > 0) throw strayDigest(stray);
  for (const { id, digest, variable } of unapproved) {
    const adapter = variable === null ? id : `${id}#${variable}`;
    await trust.add({ workspace: of.workspace.root, adapter, digest }, of.adapters[id]?.spec ?? {});
  }
}

/** Records what a person answered to the question for one adapter. */
export function approveAdapter(
  { workspace, trust }: { readonly workspace: Workspace; readonly trust: TrustStore },
  { id, digest, variable }: Pick<UntrustedAdapter, 'id' | 'digest' | 'variable'>,
): Promise<void> {
  const artifact = workspace.adapters.get(id);
  const adapter = variable === null ? id : `${id}#${variable}`;
  return trust.add({ workspace: workspace.root, adapter, digest }, artifact === undefined ? {} : specOf(artifact));
}

/** Records that a person approves of all variables that agents hand to the program. */
export async function approveVariables(
  of: { readonly workspace: Workspace; readonly trust: TrustStore },
  { id, digest }: Pick<UntrustedAdapter, 'id' | 'digest'>,
): Promise<void> {
  for (const variable of handedVariables(of.workspace).get(id) ?? []) {
    const entry = variableEntry({ workspace: of.workspace, id, digest }, variable);
    await approveAdapter(of, { id, digest: entry.digest, variable });
  }
}

const strayDigest = (digests: readonly string[]): KitError =>
  new KitError('KIT_USAGE', `--trust ${digests.join(', ')} is the digest of no adapter that this run uses`, {
    hint: 'Take the digest from `kit run --dry-run` or from the refusal.',
  });

/** The refusal that asks for a person's decision; `data.adapters` lists what would be started. */
function adapterRefused(adapters: readonly UntrustedAdapter[]): KitError {
  const lines = adapters.map(({ id, path, command, variable }) => {
    const how = variable === null ? `(${path}) starts` : `hands the variable ${variable} to`;
    return visible(`${id} ${how}: ${command.join(' ')}`);
  });
  const flags = adapters.map((adapter) => `--trust ${adapter.digest}`).join(' ');
  return new KitError(
    'KIT_ADAPTER_UNTRUSTED',
    `nobody approved what these adapters of the workspace start: ${lines.join('; ')}`,
    {
      hint: `Read the adapter file, then add ${flags} or approve it: kit adapters approve ${adapters[0]?.id ?? ''}`,
      data: { adapters: adapters.map((adapter) => ({ ...adapter, command: [...adapter.command] })) },
    },
  );
}

/**
 * Its own, and those of the topologies that it may ask for: who starts it is asked about all of
 * them.
 */
export const allAdapters = ({ adapters, children = {} }: RunSnapshot): RunSnapshot['adapters'] =>
  Object.assign(
    {},
    ...Object.values(children).map((child) => ('refused' in child ? {} : child.snapshot.adapters)),
    adapters,
  );
