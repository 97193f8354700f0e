import { topologyOf } from '../../compile/link/topology-of.js';
import { funnelsOf, workersOf } from '../../compile/link/walk-agents.js';
import { KitError } from '../../domain/errors.js';
import type { JobClass, RunRequest } from '../../domain/job.js';
import type { LinkedTopology } from '../../domain/linked-topology.js';
import type { NotYetUse } from '../../domain/not-yet-use.js';
import type { NewJob } from '../../domain/ports/stores.js';
import type { FrozenTopology, RunSnapshot } from '../../domain/snapshot.js';
import type { Workspace } from '../../domain/workspace.js';
import { assertLimits } from '../../govern/start-checks.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { hintFor } from '../../lib/nearest.js';
import { sha256Hex } from '../../lib/sha256.js';
import { namingInstalled } from '../installed-since.js';
import type { PreparedKnowledge } from '../knowledge/prepare-knowledge.js';
import { allAdapters, type UntrustedAdapter, untrustedAdapters } from './adapter-trust.js';
import { assertPolicies } from './assert-policies.js';
import { type AuthorNotice, authorNotice, authorUnidentified } from './author-notice.js';
import { checkInput, inputRefused } from './check-input.js';
import type { AcceptedAttachment, PrepareDeps } from './freeze.js';
import { findFunnel, freeze, hasExecutor } from './freeze.js';
import { assertGatesEnforced } from './gates-enforced.js';

import { assertLabels, jobOf } from './job-row.js';
import { topologyFor } from './judging.js';
import { needsOf } from './needs-of.js';
import { snapshotText } from './snapshot-text.js';
import { wantedReferences } from './wanted-references.js';

/**
 * The value is named nowhere: whoever reads what was said of a submit must not learn which secret
 * it is.
 */
const HOLDS_SECRET =
  'the input holds a value that is kept secret here, and an input is kept as it came: the store, the job and every report show it';

/**
 * Sentences about an input for whoever submits it, which refuse nothing. `holdsSecret`: whether a
 * text holds a value that kit masks elsewhere; absent: nobody is asked.
 */
async function adviceOn(
  input: string,
  holdsSecret: ((text: string) => Promise<boolean>) | undefined,
): Promise<readonly string[]> {
  return (await holdsSecret?.(input)) === true ? [HOLDS_SECRET] : [];
}

/** Everything a run needs, decided and frozen, before anything is written. */
export interface PreparedRun {
  readonly topology: LinkedTopology;
  readonly snapshot: RunSnapshot;
  readonly snapshotBytes: Uint8Array;
  readonly job: Omit<NewJob, 'id'>;
  readonly attachments: readonly AcceptedAttachment[];
  /** How the documents that it and the runs below it search get into the store. */
  readonly knowledge: readonly Pick<PreparedKnowledge, 'write'>[];
  /** Digest of the input schema that the input was checked against; null = there is none. */
  readonly inputSchemaDigest: string | null;
  /**
   * Set when a gate of the run excludes its author and nobody knows who that is; every entry point
   * says so.
   */
  readonly author: AuthorNotice | null;
  /** Keys that the topology uses without an effect; shown, never silent. */
  readonly warnings: readonly NotYetUse[];
  /** Of its input. */
  readonly advice: readonly string[];
  /** Whose workspace it is, for whoever reads `run.started`: audit, sinks, telemetry. */
  readonly labels: Pick<Workspace, 'organisation' | 'team' | 'annotations'>;
  /**
   * What a person still has to approve; `approveOrRefuse` is what refuses it, when a run is
   * submitted and again when it is opened.
   */
  readonly untrusted: readonly UntrustedAdapter[];
}

/**
 * Checks a request in the stated order (topology, input, attachments) and builds the snapshot.
 * Every refusal is before a job exists.
 *
 * Throws KIT_TOPOLOGY_UNKNOWN, KIT_NOT_YET, KIT_GATE_NOT_ENFORCEABLE,
 * KIT_AUTHOR_UNIDENTIFIED, KIT_INPUT_INVALID, KIT_ATTACHMENT_INVALID, KIT_LABEL_INVALID,
 * KIT_LIMIT_INVALID, KIT_TOOL_SERVER_UNKNOWN,
 * KIT_PRICE_UNKNOWN, KIT_PROVIDER_UNKNOWN, KIT_PROVIDER_KEY_MISSING, KIT_EXECUTOR_UNKNOWN,
 * KIT_PLUGIN_UNKNOWN, KIT_PLUGIN_CONFIG_INVALID, KIT_POLICY_INVALID, KIT_KNOWLEDGE_INVALID,
 * KIT_STORE_UNAVAILABLE, KIT_CREDENTIAL_UNRESOLVED, KIT_BINARY_VERSION.
 */
export async function prepareRun(deps: PrepareDeps, request: RunRequest): Promise<PreparedRun> {
  try {
    return await prepare(deps, request);
  } catch (error) {
    throw await namingInstalled(error, deps.plugins);
  }
}

async function prepare(deps: PrepareDeps, request: RunRequest): Promise<PreparedRun> {
  const { workspace } = deps;
  const topology = topologyFor(request, findTopology(workspace, request.topology));
  const key = `${topology.name}@${topology.version}`;
  const warnings = assertConsumed(workspace.notYet, key);
  assertLabels(request.labels);
  const author = judgeGates(workspace, topology, request);
  const input = await checkInput(deps.mode === 'plan' ? null : topology.inputSchema, request.input, deps.schemas);
  if (!input.ok) {
    await deps.onInputRejected(topology.name, input.errors);
    throw inputRefused(key, input.errors);
  }
  const attachments = await deps.attachments(request);
  assertLimits(workspace.limits);
  await assertPolicies(deps.plugins, workspace);
  const { snapshot: own, knowledge } = await freeze(deps, topology, request);
  await deps.assertPrices(own);
  const documents = knowledge === null ? [] : [knowledge];
  const children = await childrenOf(deps, {
    skills: own.skills,
    request,
    onKnowledge: (below) => documents.push(below),
  });
  const snapshot: RunSnapshot = children === null ? own : { ...own, children };
  const snapshotBytes = snapshotText(snapshot, deps.texts);
  return {
    topology,
    snapshot,
    snapshotBytes,
    job: jobOf(request, {
      topology,
      jobClass: classOf(workspace, topology),
      snapshotDigest: sha256Hex(snapshotBytes),
      needs: needsOf(deps.plugins, snapshot, await wantedReferences(deps, snapshot)),
      input: input.text,
      attachments: attachments.map(({ ref }) => ref),
    }),
    attachments,
    knowledge: documents,
    inputSchemaDigest: topology.inputSchema === null ? null : sha256Hex(canonicalJson(topology.inputSchema)),
    author,
    labels: { organisation: workspace.organisation, team: workspace.team, annotations: workspace.annotations },
    warnings,
    advice: await adviceOn(input.text, deps.holdsSecret),
    untrusted: await untrustedAdapters(deps.trust, { workspace, adapters: allAdapters(snapshot) }),
  };
}

const classOf = (workspace: Workspace, topology: LinkedTopology): JobClass =>
  hasExecutor(workersOf(topology.root, findFunnel(workspace))) ? 'harness' : 'model';

/** Null where no skill asks for a run. */
async function childrenOf(
  deps: PrepareDeps,
  {
    skills,
    request,
    onKnowledge,
  }: Pick<RunSnapshot, 'skills'> & {
    readonly request: RunRequest;
    readonly onKnowledge: (knowledge: PreparedKnowledge) => void;
  },
): Promise<NonNullable<RunSnapshot['children']> | null> {
  const all = Object.values(skills);
  if (!all.some(({ implementation }) => implementation.type === 'agent')) return null;
  const { frozenTopologies } = await import('./frozen-topologies.js');
  return frozenTopologies(all, (name) => freezeTopology(deps, { request, name, onKnowledge }));
}

/**
 * A topology for a run below this one. Whose keys it needs is seen where it runs. Throws what
 * `prepareRun` throws of a topology.
 */
async function freezeTopology(
  deps: PrepareDeps,
  {
    request,
    name,
    onKnowledge,
  }: {
    readonly request: RunRequest;
    readonly name: string;
    readonly onKnowledge: (knowledge: PreparedKnowledge) => void;
  },
): Promise<FrozenTopology> {
  const { workspace } = deps;
  const topology = findTopology(workspace, name);
  assertConsumed(workspace.notYet, `${topology.name}@${topology.version}`);
  judgeGates(workspace, topology, request);
  const { route: _route, judge: _judge, answer: _answer, conversation: _said, ...asked } = request;
  const { snapshot, knowledge } = await freeze({ ...deps, mode: 'queued' }, topology, asked);
  await deps.assertPrices(snapshot);
  if (knowledge !== null) onKnowledge(knowledge);
  return { jobClass: classOf(workspace, topology), inputSchema: topology.inputSchema, snapshot };
}

function judgeGates(workspace: Workspace, topology: LinkedTopology, { submittedBy }: RunRequest): AuthorNotice | null {
  const funnels = funnelsOf(topology.root, findFunnel(workspace));
  assertGatesEnforced(workspace, `${topology.name}@${topology.version}`, funnels);
  const notice = authorNotice(workspace, funnels, submittedBy);
  if (notice !== null && workspace.governance.requireIdentifiedAuthor) throw authorUnidentified(notice);
  return notice;
}

/** Throws KIT_TOPOLOGY_UNKNOWN naming what there is. */
export function findTopology(workspace: Workspace, name: string): LinkedTopology {
  const found = topologyOf(workspace, name);
  if (found !== null) return found;
  const names = [...workspace.topologies.keys()];
  // Who gives the path of its file means the topology.
  const word = name.replace(/^.*\//, '').replace(/\.(ya?ml|json)$/, '');
  throw new KitError(
    'KIT_TOPOLOGY_UNKNOWN',
    `there is no topology ${name}; the workspace has ${names.length === 0 ? 'none' : names.join(', ')}`,
    {
      hint: hintFor(word, word.includes('@') ? names : names.map((known) => known.replace(/@.*$/, '')), {
        fallback:
          names.length === 0
            ? 'Write one below topologies/, with `kit new topology NAME`; `kit validate` names files that nothing reads.'
            : 'Run `kit validate --tree` to look at them.',
      }),
      data: { topology: name, known: names },
    },
  );
}

/** A key that is meant to bound what a session may do, and that nothing reads, refuses the run. */
function assertConsumed(uses: readonly NotYetUse[], topology: string): readonly NotYetUse[] {
  const reached = uses.filter((use) => use.reachedBy.includes(topology));
  const refused = reached.filter((use) => use.mark === 'refuse');
  if (refused.length > 0) {
    const list = refused.map((use) => `${use.key} (${use.path}#${use.pointer})`);
    throw new KitError(
      'KIT_NOT_YET',
      `${topology} uses what this version does not carry out yet: ${[...new Set(list)].join(', ')}`,
      {
        data: { keys: refused.map((use) => use.key) },
      },
    );
  }
  return reached;
}
