import { isBundled } from '../../compile/builtin/bundled.js';
import { KitError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { RunSnapshot } from '../../domain/snapshot.js';
import type { AgentNode, Workspace } from '../../domain/workspace.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { sha256Hex } from '../../lib/sha256.js';

/** Records which adapter specs a person approved. Lies in the user's config directory, outside any workspace (journal.md 9.4). */
export interface TrustStore {
  has(entry: TrustEntry): Promise<boolean>;
  add(entry: TrustEntry): Promise<void>;
}

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
}

/** Digest over the whole spec: everything in it can change what is executed (execution.md 5.5). */
export const adapterDigest = (spec: JsonObject): string => sha256Hex(canonicalJson(spec));

/** Adapters that the agents of a topology use, as the snapshot freezes them. */
export function adaptersOf(workspace: Workspace, root: AgentNode): RunSnapshot['adapters'] {
  const used = new Set(harnessRefs(root));
  const entries = [...used].flatMap((id) => {
    const artifact = workspace.adapters.get(id);
    if (artifact === undefined) return [];
    // An adapter's spec is plain JSON by its schema.
    const spec = artifact.raw.spec as unknown as JsonObject;
    return [[id, { spec, digest: adapterDigest(spec), source: isBundled(artifact) ? 'bundled' : 'workspace' }] as const];
  });
  return Object.fromEntries(entries);
}

function harnessRefs(node: AgentNode): readonly string[] {
  const own = node.executor.kind === 'harness' ? [node.executor.ref] : [];
  return [...own, ...node.children.flatMap(harnessRefs)];
}

/** Adapters of the workspace without an approval. Bundled ones need none. */
export async function untrustedAdapters(
  trust: TrustStore,
  of: { readonly workspace: Workspace; readonly adapters: RunSnapshot['adapters'] },
): Promise<readonly UntrustedAdapter[]> {
  const found: UntrustedAdapter[] = [];
  for (const [id, adapter] of Object.entries(of.adapters)) {
    if (adapter.source === 'bundled' || (await trust.has({ workspace: of.workspace.root, adapter: id, digest: adapter.digest }))) continue;
    const artifact = of.workspace.adapters.get(id);
    found.push({ id, digest: adapter.digest, path: artifact?.path ?? '', command: artifact?.value.spec.launch.command ?? [] });
  }
  return found;
}

/** The refusal that asks for a person's decision; `data.adapters` lists what would be started. */
export function adapterRefused(adapters: readonly UntrustedAdapter[]): KitError {
  const lines = adapters.map((adapter) => `${adapter.id} (${adapter.path}) starts: ${adapter.command.join(' ')}`);
  const flags = adapters.map((adapter) => `--trust ${adapter.digest}`).join(' ');
  return new KitError('KIT_ADAPTER_UNTRUSTED', `nobody approved what these adapters of the workspace start: ${lines.join('; ')}`, {
    hint: `Read the adapter file, then add ${flags}`,
    data: { adapters: adapters.map((adapter) => ({ ...adapter, command: [...adapter.command] })) },
  });
}
