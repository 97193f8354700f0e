import type { AgentNode } from '../../domain/agent-node.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { JsonObject } from '../../domain/json.js';
import type { LinkedFunnel } from '../../domain/linked-funnel.js';
import { REVIEW_SCHEMA, SEVERITIES } from '../../domain/review-findings.js';
import { isObject } from '../../lib/json.js';
import { flagAt, numberAt, objectAt, textAt, textsAt } from '../read.js';
import { type AgentScope, linkAgent } from './agents.js';
import { approvalPolicy } from './approval-policy.js';
import { firstFile, funnelFileCandidates } from './funnel-files.js';
import type { Art } from './registries.js';

type FunnelScope = Omit<AgentScope, 'topology' | 'name'>;

/** The file that a layer names; null also when it is missing, which a rule reports. */
function fileOf(scope: FunnelScope, artifact: Art, layer: 'validate' | 'judge', reference: string | null) {
  if (reference === null) return null;
  const file = firstFile(scope.files, funnelFileCandidates(artifact.path, layer, reference));
  return file.state === 'ok' ? file : null;
}

function validateLayer(scope: FunnelScope, artifact: Art): LinkedFunnel['validate'] {
  const layer = objectAt(artifact.value, 'validate');
  if (layer === null) return null;
  const schema = fileOf(scope, artifact, 'validate', textAt(layer, 'schema'))?.tree;
  const budget = objectAt(layer, 'slice_budget');
  return {
    schema: isObject(schema) ? schema : null,
    autocorrect: flagAt(layer, 'autocorrect') ?? DEFAULTS.ValidateLayer.autocorrect,
    sliceBudget:
      budget === null
        ? null
        : { maxDiffLines: numberAt(budget, 'max_diff_lines'), maxFiles: numberAt(budget, 'max_files') },
    citedChange: flagAt(layer, 'cited_change') ?? DEFAULTS.ValidateLayer.cited_change,
  };
}

function judgeLayer(scope: FunnelScope, artifact: Art): LinkedFunnel['judge'] {
  const layer = objectAt(artifact.value, 'judge');
  if (layer === null) return null;
  return {
    skill: textAt(layer, 'skill') ?? '',
    rubric: fileOf(scope, artifact, 'judge', textAt(layer, 'rubric'))?.text ?? null,
    threshold: numberAt(layer, 'threshold') ?? DEFAULTS.JudgeLayer.threshold,
  };
}

/**
 * Reading is all that a reviewer may do: skills of its archetype that change something are not
 * handed to it (docs/design/execution.md#reviewer).
 */
function readOnlySkills(scope: FunnelScope, node: AgentNode): readonly string[] {
  return node.skills.filter((id) => ['none', 'read'].includes(scope.skills.get(id)?.effects ?? 'unknown'));
}

function reviewLayer(scope: FunnelScope, artifact: Art, funnelId: string): LinkedFunnel['review'] {
  const layer = objectAt(artifact.value, 'review');
  const archetype = textAt(layer, 'archetype') ?? '';
  if (layer === null || !scope.registries.archetypes.has(archetype)) return null;
  const wanted: JsonObject = { id: archetype, role: 'worker', archetype };
  // The id holds an @, which no agent of a topology can: two agents of one name would share models
  // and events.
  const node = linkAgent({ ...scope, topology: artifact, name: '' }, wanted, '/review');
  const routeBackAt =
    SEVERITIES.find((severity) => severity === textAt(layer, 'route_back_at')) ?? DEFAULTS.ReviewLayer.route_back_at;
  return {
    reviewer: {
      ...node,
      id: `${archetype}@${funnelId}`,
      skills: readOnlySkills(scope, node),
      outputSchema: REVIEW_SCHEMA,
    },
    readScope: textsAt(layer, 'read_scope'),
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
        maxRetries: numberAt(objectAt(artifact.value, 'judge'), 'max_retries') ?? DEFAULTS.JudgeLayer.max_retries,
        approve: approvalPolicy(objectAt(artifact.value, 'approve') ?? {}),
      },
    ]),
  );
}
