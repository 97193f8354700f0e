import type { GateRound, RecordedDecision, ReviewItem } from '../domain/gates.js';
import type { GateElsewhere } from '../domain/ports/remote-waits.js';
import { isObject } from '../lib/json.js';
import { isServerAddress, shellWord } from '../lib/shell-word.js';
import type { ReviewRequest } from './asked.js';
import type { GateActor, GateDetails, GateResolution } from './gate-details.js';
import type { WireGate } from './schemas/gate.js';
import type { WireAsked, WireDecision, WireElsewhere, WireItem } from './schemas/item.js';

/**
 * A review item as every door shows it (docs/design/decisions.md#wire): `resolved_by` is '' while
 * it waits.
 */
export function toWireItem(item: ReviewItem): WireItem {
  return {
    id: item.id,
    kind: item.kind,
    agent_id: item.agentId,
    topology_id: item.topologyId,
    run_id: item.jobId,
    skill_id: item.skillId,
    gate_id: item.gateId,
    role: item.role,
    scope: item.scope,
    rule_index: item.ruleIndex,
    round: item.round,
    status: item.status,
    resolved_by: item.resolvedBy,
    comment: item.comment,
    answer: item.answer,
    reason: item.reason,
    capability: textOf(item.details, 'capability'),
    question: item.question,
    options: item.options,
    free_text_allowed: item.freeTextAllowed,
    details: item.details,
    artifact_ref: item.artifactRef,
    stale: item.stale,
    withdrawn: item.withdrawn,
    escalated: item.escalated,
    reopened: item.reopened,
    timestamp: item.createdAt,
    resolved_at: item.resolvedAt,
  };
}

/** The name for people stands in events alone: the schema of a gate is closed. */
const toWireAuthor = ({
  identity,
  person,
  assurance,
  identified,
  note,
}: GateDetails['author']): WireGate['author'] => ({
  identity,
  person,
  assurance,
  identified,
  note,
});

/**
 * A gate as every door shows it (docs/design/decisions.md#wire). `who_can_act[].command` is the
 * line with which the first of the members approves; null where nobody can now. It names the
 * workspace as `workspaceArgument` does; '' = it is run in its directory.
 */
export function toWireGate(gate: GateDetails, workspaceArgument = ''): WireGate {
  return {
    gate_id: gate.gateId,
    run_id: gate.runId,
    topology_id: gate.topologyId,
    agent_id: gate.agentId,
    funnel_id: gate.funnelId,
    round: gate.round,
    status: gate.status,
    resolved: gate.resolved,
    quorum_evaluated: gate.quorumEvaluated,
    artifact_ref: gate.artifactRef,
    sha256: gate.sha256,
    media_type: gate.mediaType,
    items: gate.items.map(toWireItem),
    resolutions: gate.resolutions.map(toWireResolution),
    distinct_approvers: gate.distinctApprovers,
    min_distinct_approvers: gate.policy.minDistinctApprovers,
    outstanding: gate.outstanding,
    who_can_act: gate.actors.map((actor) => toWireActor(actor, gate.halted === null ? workspaceArgument : null)),
    stuck: gate.stuck,
    halted: gate.halted,
    exclude_author: gate.excludeAuthor,
    exclude_author_unapplied: gate.excludeAuthorUnapplied,
    author: toWireAuthor(gate.author),
    earlier_authors: gate.earlierAuthors.map(({ identity, person, jobId }) => ({ identity, person, run_id: jobId })),
    evidence: toWireEvidence(gate.evidence),
    escalated_to: gate.escalatedTo,
    opened_at: gate.openedAt,
    expires_at: gate.expiresAt,
    expired: gate.expired,
    decided_at: gate.decidedAt,
    withdrawn: gate.withdrawn,
  };
}

/**
 * What is asked, as every door shows it beside its item or gate: `request`, and whether the one who
 * looks may decide: `you`, null where nobody in particular does. Ages are in seconds; an unknown
 * cost is null.
 */
export function toWireAsked(asked: ReviewRequest): WireAsked {
  const { topology, input, spent, call, led, you } = asked;
  return {
    request: {
      run_id: asked.runId,
      topology: topology.name,
      version: topology.version,
      description: topology.description,
      input: input.text,
      input_chars: input.chars,
      input_cut: input.isCut,
      attachments: asked.attachments,
      submitted_by: { identity: asked.submittedBy.identity, assurance: asked.submittedBy.assurance },
      labels: asked.labels,
      correlation_id: asked.correlationId,
      source: asked.source,
      submitted_at: asked.submittedAt,
      asked_at: asked.askedAt,
      age_seconds: Math.floor(asked.ageMs / 1_000),
      cost_usd: spent?.costUsd ?? null,
      input_tokens: spent?.inputTokens ?? 0,
      output_tokens: spent?.outputTokens ?? 0,
      call:
        call === null
          ? null
          : { name: call.name, reason: call.reason, details: call.details, approvers: call.approvers },
      critique: asked.critique,
      decisions: asked.decisions.map(({ by, role, outcome, comment, round, at, counts }) => ({
        by,
        role,
        outcome,
        comment,
        round,
        at,
        counts,
      })),
      led_here:
        led === null
          ? null
          : {
              steps: led.steps.map((step) => ({
                depth: step.depth,
                kind: step.kind,
                name: step.name,
                status: step.status,
                count: step.count,
                model_calls: step.modelCalls,
                duration_ms: step.durationMs,
                cost_usd: step.costUsd,
              })),
              left_out: led.leftOut,
            },
    },
    you: you === null ? null : { can_decide: you.canDecide, why_not: you.whyNot },
  };
}

/** A decision with its evidence, as it was recorded. */
export function toWireDecision(decision: RecordedDecision): WireDecision {
  return {
    id: decision.id,
    item_id: decision.itemId,
    gate_id: decision.gateId,
    run_id: decision.jobId,
    round: decision.round,
    rule_index: decision.ruleIndex,
    role: decision.role,
    scope: decision.scope,
    identity: decision.identity,
    person: decision.person,
    assurance: decision.assurance,
    outcome: decision.outcome,
    comment: decision.comment,
    at: decision.at,
    sha256: decision.sha256,
    policy_digest: decision.policyDigest,
    registry_digest: decision.registryDigest,
    stale: decision.stale,
    carried_from: decision.carriedFrom,
    signed_by: decision.signature?.keyId ?? null,
  };
}

const toWireResolution = (resolution: GateResolution): WireGate['resolutions'][number] => ({
  item_id: resolution.itemId,
  role: resolution.role,
  scope: resolution.scope,
  status: resolution.status,
  resolved_by: resolution.resolvedBy,
  comment: resolution.comment,
  round: resolution.round,
  at: resolution.at,
  stale: resolution.stale,
  carried_from: resolution.carriedFrom,
});

const toWireActor = (actor: GateActor, workspaceArgument: string | null): WireGate['who_can_act'][number] => ({
  item_id: actor.itemId,
  rule_index: actor.ruleIndex,
  role: actor.role,
  scope: actor.scope,
  members: actor.members,
  command: approveCommand(actor, workspaceArgument),
});

function approveCommand({ itemId, members: [first] }: GateActor, workspaceArgument: string | null): string | null {
  if (first === undefined || workspaceArgument === null) return null;
  const workspace = workspaceArgument === '' ? '' : ` ${shellWord(workspaceArgument)}`;
  const who = isServerAddress(workspaceArgument) ? '' : ` --as ${shellWord(first)}`;
  return `kit review resolve ${shellWord(itemId)}${workspace}${who} --approve`;
}

const toWireEvidence = (evidence: GateRound['evidence']): WireGate['evidence'] => ({
  retries: evidence.retries,
  escalated: evidence.escalated,
  failed_layers: evidence.failedLayers,
  critique: evidence.critique,
  judge: evidence.judge,
  findings: evidence.findings,
  diff_sha256: evidence.diffSha256,
});

function textOf(details: ReviewItem['details'], key: string): string | null {
  if (!isObject(details)) return null;
  const value = details[key];
  return typeof value === 'string' ? value : null;
}

/** What people of other systems decide, as every door shows it. */
export const toWireElsewhere = (gates: readonly GateElsewhere[]): WireElsewhere =>
  gates.map(({ jobId, topology, agent, gateUrl }) => ({ run: jobId, topology, agent, gate_url: gateUrl }));
