import { isBundled } from '../../compile/builtin/bundled.js';
import { adapterRefsOf, workersOf } from '../../compile/link/walk-agents.js';
import type { RuntimeSearch } from '../../domain/container-runtime.js';
import { KitError } from '../../domain/errors.js';
import type { AskVersion } from '../../domain/ports/programs.js';
import type { Workspace } from '../../domain/workspace.js';
import { unverified, verifiedOf } from '../../govern/harness/verified.js';
import { hintFor } from '../../lib/nearest.js';
import type { RunSession } from '../runs/run-session.js';
import {
  adapterDigest,
  approveAdapter,
  approveVariables,
  handedVariables,
  programOf,
  specOf,
  type TrustStore,
  untrustedAdapters,
} from '../submit/adapter-trust.js';
import type { AdapterAsk, AdapterDetails, AdapterRow, AdaptersApp } from './adapters-app.js';

/** Real parts behind the use cases. */
export interface AdaptersDeps {
  /** Throws KIT_WORKSPACE_NOT_FOUND, KIT_WORKSPACE_INVALID. */
  readonly session: (workspace: string) => Promise<Pick<RunSession, 'workspace' | 'trust'>>;
  /** Where a program lies; null = nowhere. */
  readonly whereIs: (program: string) => Promise<string | null>;
  readonly askVersion: AskVersion;
  /** How a container runtime is looked for and started, in a directory. */
  readonly runtimeIn: (cwd: string) => Promise<RuntimeSearch>;
}

type Artifact = NonNullable<ReturnType<Workspace['adapters']['get']>>;

export function createAdaptersApp(deps: AdaptersDeps): AdaptersApp {
  const show = async ({ workspace: directory, id }: AdapterAsk): Promise<AdapterDetails> => {
    const { workspace, trust } = await deps.session(directory);
    const artifact = adapterOf(workspace, id);
    return {
      ...(await rowOf(deps, { workspace, trust, id, artifact })),
      spec: specOf(artifact),
      lastApproval: await trust.last({ workspace: workspace.root, adapter: id }),
    };
  };
  return {
    list: async ({ workspace: directory }) => {
      const { workspace, trust } = await deps.session(directory);
      const all = [...workspace.adapters].sort(([a], [b]) => (a < b ? -1 : 1));
      return Promise.all(all.map(([id, artifact]) => rowOf(deps, { workspace, trust, id, artifact })));
    },
    show,
    approve: async (ask) => {
      const { workspace, trust } = await deps.session(ask.workspace);
      const spec = specOf(adapterOf(workspace, ask.id));
      const fingerprint = adapterDigest(spec);
      if (fingerprint !== ask.fingerprint)
        throw new KitError(
          'KIT_USAGE',
          `adapter ${ask.id} has the fingerprint ${fingerprint}, not ${ask.fingerprint}`,
          {
            hint: `Read it again: kit adapters show ${ask.id}`,
          },
        );
      await approveAdapter({ workspace, trust }, { id: ask.id, digest: fingerprint, variable: null });
      await approveVariables({ workspace, trust }, { id: ask.id, digest: fingerprint });
      return show(ask);
    },
    build: async (ask, build) => {
      const { spec, approval } = await show(ask);
      if (approval === 'needs-review')
        throw new KitError(
          'KIT_ADAPTER_UNTRUSTED',
          `nobody has approved the adapter ${ask.id}: it says what is built`,
          {
            hint: `Read it, then: kit adapters approve ${ask.id}`,
          },
        );
      const { workspace } = await deps.session(ask.workspace);
      return build({ spec, ...(await deps.runtimeIn(workspace.root)) });
    },
  };
}

/** Throws KIT_ADAPTER_UNKNOWN. */
function adapterOf({ adapters }: Workspace, id: string): Artifact {
  const artifact = adapters.get(id);
  if (artifact !== undefined) return artifact;
  throw new KitError('KIT_ADAPTER_UNKNOWN', `there is no adapter ${id}`, {
    hint: hintFor(id, [...adapters.keys()], { fallback: 'Run `kit adapters list` to see what there is.' }),
  });
}

async function rowOf(
  deps: AdaptersDeps,
  of: {
    readonly workspace: Workspace;
    readonly trust: TrustStore;
    readonly id: string;
    readonly artifact: Artifact;
  },
): Promise<AdapterRow> {
  const { workspace, trust, id, artifact } = of;
  const spec = specOf(artifact);
  const program = programOf(spec);
  const env = handedVariables(workspace).get(id) ?? [];
  const refused = await untrustedAdapters(trust, { workspace, adapters: { [id]: { spec, env } } });
  const approval = refused.length > 0 ? 'needs-review' : isBundled(artifact) ? 'bundled' : 'approved';
  const foundAt = await deps.whereIs(program);
  const { name, description } = artifact.raw.metadata;
  const verified = verifiedOf(spec);
  // A program that nobody approved is looked for and never started.
  const isAsked = foundAt !== null && approval !== 'needs-review';
  const said = isAsked ? await deps.askVersion(verified?.program ?? foundAt) : null;
  return {
    id,
    name: name ?? id,
    description: description ?? '',
    source: isBundled(artifact) ? 'bundled' : 'workspace',
    path: artifact.path,
    program,
    foundAt,
    version: versionIn(said),
    unverified: isAsked ? unverified(verified, said) : null,
    approval,
    env,
    fingerprint: adapterDigest(spec),
    topologies: topologiesOf(workspace, id),
  };
}

/** `2.1.330 (Claude Code)`, `codex-cli 0.169.0`: the number at the beginning of the first line. */
const versionIn = (said: string | null): string | null =>
  /\d+\.\d+(?:\.\d+)?[-+.\w]*/.exec(said?.slice(0, VERSION_CHARS).split('\n')[0] ?? '')?.[0] ?? null;

const VERSION_CHARS = 200;

const topologiesOf = (workspace: Workspace, id: string): readonly string[] =>
  [...workspace.topologies.values()]
    .filter(({ root }) => {
      const agents = workersOf(root, (funnel) => workspace.linkedFunnels.get(funnel));
      return adapterRefsOf(agents).has(id);
    })
    .map(({ name }) => name)
    .sort();
