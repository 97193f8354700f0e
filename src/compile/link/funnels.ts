import type { AgentNode } from '../../domain/agent-node.js';
import type { ApprovalPolicy, GateExpiry, Quorum } from '../../domain/gates.js';
import type {
  Duration,
  ApprovalPolicy as PolicyBlock,
  Quorum as QuorumBlock,
} from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { LinkedFunnel } from '../../domain/linked-funnel.js';
import { REVIEW_SCHEMA } from '../../domain/review-findings.js';
import { durationMs } from '../../lib/duration.js';
import { isObject } from '../../lib/json.js';
import { type AgentScope, linkAgent } from './agents.js';
import { firstFile, funnelFileCandidates } from './funnel-files.js';
import type { Art, Checked } from './registries.js';

const quorumOf = (quorum: QuorumBlock): Quorum => (typeof quorum === 'object' ? { kOf: quorum['k-of'] } : quorum);

/** A duration of the block in milliseconds; null = it is not written. */
const msOf = (duration: Duration = ''): number | null => durationMs(duration);

function expiryOf(block: PolicyBlock): GateExpiry | null {
  const afterMs = msOf(block.expires_after);
  if (afterMs === null) return null;
  const action = block.on_expiry ?? DEFAULTS.ApprovalPolicy.on_expiry;
  return {
    afterMs,
    remindBeforeMs: msOf(block.remind_before),
    action,
    escalateTo: action === 'escalate' ? (block.escalate_to ?? []) : [],
  };
}

/**
 * An `approve:` block in the words of the engine, with its defaults
 * (docs/gates.md#the-policy-who-must-sign).
 */
function approvalPolicy(written: PolicyBlock): ApprovalPolicy {
  const block = { ...DEFAULTS.ApprovalPolicy, ...written };
  return {
    rules: block.rules.map(({ scope, roles, quorum, covers = null }) => ({
      scope,
      roles: [...new Set(roles)],
      quorum: quorumOf(quorum),
      covers,
    })),
    excludeAuthor: block.exclude_author,
    onRevision: block.on_revision,
    minDistinctApprovers: block.min_distinct_approvers ?? null,
    expiry: expiryOf(block),
  };
}

type FunnelScope = Omit<AgentScope, 'topology' | 'name'>;

/** The file that a layer names; null also when it is missing, which a rule reports. */
function fileOf(scope: FunnelScope, artifact: Art, layer: 'validate' | 'judge', reference: string | undefined) {
  if (reference === undefined) return null;
  const file = firstFile(scope.files, funnelFileCandidates(artifact.path, layer, reference));
  return file.state === 'ok' ? file : null;
}

function validateLayer(scope: FunnelScope, artifact: Checked<'Funnel'>): LinkedFunnel['validate'] {
  if (artifact.value.validate === undefined) return null;
  const layer = { ...DEFAULTS.ValidateLayer, ...artifact.value.validate };
  const schema = fileOf(scope, artifact, 'validate', layer.schema)?.tree;
  const budget = layer.slice_budget;
  return {
    schema: isObject(schema) ? schema : null,
    autocorrect: layer.autocorrect,
    sliceBudget:
      budget === undefined ? null : { maxDiffLines: budget.max_diff_lines ?? null, maxFiles: budget.max_files ?? null },
    citedChange: layer.cited_change,
  };
}

function judgeLayer(scope: FunnelScope, artifact: Checked<'Funnel'>): LinkedFunnel['judge'] {
  if (artifact.value.judge === undefined) return null;
  const { skill, rubric, threshold } = { ...DEFAULTS.JudgeLayer, ...artifact.value.judge };
  return { skill, rubric: fileOf(scope, artifact, 'judge', rubric)?.text ?? null, threshold };
}

/**
 * Reading is all that a reviewer may do: skills of its archetype that change something are not
 * handed to it (docs/design/execution.md#reviewer).
 */
function readOnlySkills(scope: FunnelScope, node: AgentNode): readonly string[] {
  return node.skills.filter((id) => ['none', 'read'].includes(scope.skills.get(id)?.effects ?? 'unknown'));
}

function reviewLayer(scope: FunnelScope, artifact: Checked<'Funnel'>, funnelId: string): LinkedFunnel['review'] {
  const layer = artifact.value.review;
  if (layer === undefined || !scope.registries.archetypes.has(layer.archetype)) return null;
  const { archetype, read_scope: readScope = [], route_back_at: routeBackAt } = { ...DEFAULTS.ReviewLayer, ...layer };
  // The id holds an @, which no agent of a topology can: two agents of one name would share models
  // and events.
  const node = linkAgent(
    { ...scope, topology: artifact, name: '' },
    { id: archetype, role: 'worker', archetype },
    '/review',
  );
  return {
    reviewer: {
      ...node,
      id: `${archetype}@${funnelId}`,
      skills: readOnlySkills(scope, node),
      outputSchema: REVIEW_SCHEMA,
    },
    readScope,
    routeBackAt,
  };
}

/**
 * Every funnel as the engine runs it, by id: files inlined, durations in milliseconds, the reviewer
 * as an agent.
 */
export function linkFunnels(scope: FunnelScope): ReadonlyMap<string, LinkedFunnel> {
  return new Map(
    [...scope.registries.funnels].map(([id, artifact]): [string, LinkedFunnel] => [
      id,
      {
        id,
        validate: validateLayer(scope, artifact),
        judge: judgeLayer(scope, artifact),
        review: reviewLayer(scope, artifact, id),
        maxRetries: artifact.value.judge?.max_retries ?? DEFAULTS.JudgeLayer.max_retries,
        approve: approvalPolicy(artifact.value.approve),
      },
    ]),
  );
}
