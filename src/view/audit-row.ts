import type { StoredEvent } from '../domain/events.js';
import { payloadOf, type WireAuditRow } from './schemas/event.js';

/**
 * One row of `GET /audit`: an event with the facts that people look for lifted out of its payload.
 * Keys are the wire's. `skill_category` and `parent_event_id` are always null: no event holds the
 * first, and events of a run are chained by digest. `run_id` is '' for an event that belongs to no
 * run; `inputs` and `outputs` are there as far as the audit level and the skill's policy keep them;
 * `cost_usd` is null where it is not known.
 */
export type AuditRow = WireAuditRow;

/** What is lifted out of payloads; an event has some of it. */
const NOTHING = {
  agent_role: null,
  policy_decision: null,
  policy_reason: null,
  inputs: null,
  outputs: null,
  verdict: null,
  reasoning: null,
  confidence: null,
  model_provider: null,
  model_name: null,
  tokens_in: null,
  tokens_out: null,
  cost_usd: null,
  error: null,
} as const satisfies Partial<AuditRow>;
type Facts = Pick<AuditRow, keyof typeof NOTHING>;

/**
 * What an event of this type has for the columns. Types without a case have their payload alone.
 */
function factsOf(event: StoredEvent): Partial<Facts> {
  switch (event.type) {
    case 'agent.started':
      return { agent_role: event.payload.role };
    case 'agent.completed':
      return { agent_role: event.payload.role, error: event.payload.status === 'ok' ? null : event.payload.reason };
    case 'model.called': {
      const called = event.payload;
      return {
        model_provider: called.served_by?.provider ?? called.provider,
        model_name: called.served_by?.model ?? called.model,
        tokens_in: called.input_tokens,
        tokens_out: called.output_tokens,
        cost_usd: called.cost_usd,
        error: called.status === 'ok' ? null : called.reason,
      };
    }
    case 'skill.executed': {
      const { status, reason, inputs, outputs, policy_decision, policy_reason, cost_usd = null } = event.payload;
      const { input_tokens: tokens_in = null, output_tokens: tokens_out = null } = event.payload;
      const error = status === 'failed' ? reason : null;
      return {
        policy_decision,
        policy_reason,
        inputs: inputs ?? null,
        outputs: outputs ?? null,
        tokens_in,
        tokens_out,
        cost_usd,
        error,
      };
    }
    case 'executor.result': {
      const { input_tokens: tokens_in, output_tokens: tokens_out, cost_usd, reason, status } = event.payload;
      return { tokens_in, tokens_out, cost_usd, error: status === 'ok' ? null : reason };
    }
    case 'decision.evaluated': {
      const { verdict, reasoning, confidence } = event.payload;
      return { verdict, reasoning, confidence };
    }
    case 'policy.denied':
      return { policy_decision: 'deny', policy_reason: event.payload.reason };
    case 'approval.role_task_resolved':
      return { policy_decision: event.payload.policy_decision, policy_reason: event.payload.reason };
    case 'pipeline.ingress':
      return { error: event.payload.reason };
    case 'run.parked':
    case 'run.ended':
      return { error: event.payload.error };
    default:
      return {};
  }
}

export function toAuditRow(event: StoredEvent): AuditRow {
  const payload = payloadOf(event);
  const { duration_ms: durationMs } = payload;
  return {
    event_id: event.eventId,
    event_type: event.type,
    timestamp: event.timestamp,
    run_id: event.jobId,
    topology_id: event.topologyId,
    agent_id: event.agentId,
    skill_id: event.skillId,
    skill_category: null,
    correlation_id: event.correlationId,
    payload,
    labels: event.labels,
    ...NOTHING,
    ...factsOf(event),
    duration_ms: typeof durationMs === 'number' ? durationMs : null,
    parent_event_id: null,
  };
}
