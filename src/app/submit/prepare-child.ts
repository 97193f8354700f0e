import { KitError } from '../../domain/errors.js';
import type { RunRequest } from '../../domain/job.js';
import type { ChildRequest } from '../../domain/ports/child-runs.js';
import type { RunSnapshot } from '../../domain/snapshot.js';
import type { Workspace } from '../../domain/workspace.js';
import { stricterLimits } from '../../govern/limits.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import type { LoadSchemas } from '../../lib/json-schema.js';
import { sha256Hex } from '../../lib/sha256.js';
import { checkInput, inputRefused } from './check-input.js';
import { reachedFrom } from './frozen-topologies.js';
import { jobOf } from './job-row.js';
import { type NeedsPlugins, needsOf } from './needs-of.js';
import { snapshotText } from './snapshot-text.js';
import type { Submittable } from './submit-run.js';
import { type ReferenceDeps, wantedReferences } from './wanted-references.js';

/**
 * What a run of a frozen topology takes of the process that submits it: nothing of it decides the
 * work.
 */
export interface PrepareChildDeps extends Pick<ReferenceDeps, 'findReferences'> {
  readonly plugins: NeedsPlugins;
  readonly schemas: LoadSchemas;
  readonly labels: Pick<Workspace, 'organisation' | 'team' | 'annotations'>;
}

export interface ChildToPrepare {
  /** What the caller was frozen with. */
  readonly caller: Pick<RunSnapshot, 'children' | 'depth'>;
  readonly request: RunRequest;
  /** What the caller may still use; null = there is no limit. */
  readonly budget: ChildRequest['budget'];
}

/**
 * A run that another run asks for, from what was frozen with the caller: no file of the workspace
 * is read. Throws KIT_TOPOLOGY_UNKNOWN, KIT_INPUT_INVALID, and what the topology was refused with
 * when its caller was submitted.
 */
export async function prepareChild(
  deps: PrepareChildDeps,
  { caller, request, budget }: ChildToPrepare,
): Promise<Submittable> {
  const { children = {}, depth } = caller;
  const frozen = Object.hasOwn(children, request.topology) ? children[request.topology] : undefined;
  if (frozen === undefined)
    throw new KitError('KIT_TOPOLOGY_UNKNOWN', `the run was submitted without the topology ${request.topology}`);
  if ('refused' in frozen) throw new KitError(frozen.refused.code, frozen.refused.message);
  const { topology } = frozen.snapshot;
  const input = await checkInput(frozen.inputSchema, request.input, deps.schemas);
  if (!input.ok) throw inputRefused(`${topology.name}@${topology.version}`, input.errors);
  const snapshot = withinBudget(depth === undefined ? frozen.snapshot : { ...frozen.snapshot, depth }, {
    children: reachedFrom(children, Object.values(frozen.snapshot.skills)),
    budget,
  });
  const snapshotBytes = snapshotText(snapshot);
  return {
    topology,
    snapshotBytes,
    job: jobOf(request, {
      topology,
      jobClass: frozen.jobClass,
      snapshotDigest: sha256Hex(snapshotBytes),
      needs: needsOf(deps.plugins, snapshot, await wantedReferences(deps, snapshot)),
      input: input.text,
      attachments: [],
    }),
    attachments: [],
    // The documents came into the store with the caller.
    knowledge: [],
    inputSchemaDigest: frozen.inputSchema === null ? null : sha256Hex(canonicalJson(frozen.inputSchema)),
    labels: deps.labels,
  };
}

function withinBudget(
  snapshot: RunSnapshot,
  { children, budget }: { readonly children: RunSnapshot['children'] | null; readonly budget: ChildRequest['budget'] },
): RunSnapshot {
  const limits = stricterLimits(snapshot.limits, {
    maxStepsPerAgent: null,
    maxStepsPerRun: Number.POSITIVE_INFINITY,
    maxCostPerRunUsd: budget.usd,
    maxTokensPerRun: budget.tokens,
  });
  return { ...snapshot, limits, ...(children == null ? {} : { children }) };
}
