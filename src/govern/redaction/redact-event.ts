import type { EventType } from '../../domain/events.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { assertNever } from '../../lib/assert-never.js';
import type { Masker } from '../../lib/masker.js';
import { eraseAll } from './erase.js';
import type { RedactionRules } from './policy.js';
import { redactRecord } from './redact.js';
import { shorten } from './shorten.js';

export interface CallRecord {
  readonly inputs: Json;
  readonly outputs: Json;
}

/** `none` leaves a field out. */
export interface ShownCall {
  readonly inputs?: Json;
  readonly outputs?: Json;
}

/**
 * Inputs and outputs of one tool call as they may be logged: credentials masked, paths redacted,
 * then shortened.
 */
export function redactCall(call: CallRecord, rules: RedactionRules, masker: Masker): ShownCall {
  const shown = redactContent({ inputs: call.inputs, outputs: call.outputs }, rules, masker);
  return {
    ...(shown.inputs === undefined ? {} : { inputs: shown.inputs }),
    ...(shown.outputs === undefined ? {} : { outputs: shown.outputs }),
  };
}

/**
 * A whole payload before it is written. Paths apply to the fields that carry content; what says
 * which event it is (status, tool, counts, digests) stays, so that the event still fits its schema.
 * Credentials are masked in both.
 */
export function redactPayload(type: EventType, payload: JsonObject, rules: RedactionRules, masker: Masker): JsonObject {
  const content = new Set(contentFields(type));
  const fields = Object.entries(payload);
  const shown = redactContent(Object.fromEntries(fields.filter(([name]) => content.has(name))), rules, masker);
  return {
    ...maskPayload(Object.fromEntries(fields.filter(([name]) => !content.has(name))), (value) =>
      masker.maskJson(value),
    ),
    ...shown,
  };
}

function redactContent(content: JsonObject, rules: RedactionRules, masker: Masker): JsonObject {
  const masked = masker.maskJson(content);
  const redacted = rules.broken.length === 0 ? redactRecord(masked, rules.paths) : eraseFields(masked);
  const { inputs, outputs, ...rest } = redacted;
  const shownInputs = inputs === undefined ? undefined : shorten(inputs, rules.policy.logInputs);
  const shownOutputs = outputs === undefined ? undefined : shorten(outputs, rules.policy.logOutputs);
  return {
    ...rest,
    ...(shownInputs === undefined ? {} : { inputs: shownInputs }),
    ...(shownOutputs === undefined ? {} : { outputs: shownOutputs }),
  };
}

const eraseFields = (content: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(content).map(([name, value]) => [name, eraseAll(value)]));

/**
 * Masks a payload without touching what other events refer to: a weak password such as `root` must
 * not break the link between an agent's start and its end. Names of fields stay as they are.
 */
export function maskPayload(payload: JsonObject, mask: (value: Json) => Json): JsonObject {
  const masked: Record<string, Json> = {};
  for (const name of Object.keys(payload)) {
    const value = payload[name] as Json; // a name of its own
    masked[name] = STRUCTURE.has(name) ? value : mask(value);
  }
  return masked;
}

/**
 * Keys, digests and words of closed lists: made by kit, so no secret stands in them and masking one
 * hides nothing.
 */
const STRUCTURE: ReadonlySet<string> = new Set([
  ...[
    'activation',
    'parent_key',
    'key',
    'step_id',
    'limit',
    'at',
    'base_commit',
    'sha256',
    'input_sha256',
    'schema_sha256',
    'media_type',
  ],
  ...['status', 'policy_decision', 'effects', 'purpose', 'assurance', 'from_status', 'role', 'kind', 'sandbox'],
  ...[
    'gate_id',
    'item_id',
    'review_queue_id',
    'artifact_ref',
    'policy_digest',
    'registry_digest',
    'decision_id',
    'waiting_on',
    'identity',
    'person',
    'scope',
  ],
  ...[
    'expires_at',
    'layer',
    'outcome',
    'code',
    'reopened',
    'role_tasks',
    'approve',
    'author',
    'approvers',
    'by',
    'by_user',
    'escalated_to',
    'action',
  ],
]);

/**
 * Where text of users, tools and models stands. A new event type does not compile until it is
 * decided here.
 */
export function contentFields(type: EventType): readonly string[] {
  switch (type) {
    case 'skill.executed':
      return ['inputs', 'outputs', 'reason', 'policy_reason'];
    case 'executor.message':
      return ['text'];
    case 'executor.tool_call':
      return ['summary'];
    case 'executor.permission':
      return ['subject', 'reason'];
    case 'executor.network':
      return ['host', 'reason'];
    case 'executor.result':
      return ['reason', 'exit_metadata', 'outcome'];
    case 'a2a.remote_usage':
      return [];
    case 'model.called':
      return ['reason', 'sources'];
    case 'agent.completed':
    case 'policy.denied':
    case 'tool.refused':
      return ['reason'];
    case 'output.validation_failed':
    case 'input.rejected':
      return ['errors'];
    case 'trust.counted':
    case 'trust.changeset_proposed':
    case 'trust.applied':
    case 'trust.cleared':
      return ['match'];
    case 'pipeline.ingress':
      return ['correlation_id', 'event', 'source_event_id', 'reason'];
    case 'run.ended':
    case 'run.parked':
      return ['error'];
    case 'funnel.gate_opened':
    case 'funnel.advisory_completed':
      return ['critique'];
    case 'funnel.layer_evaluated':
      return ['critique', 'findings'];
    case 'decision.evaluated':
      return ['reasoning', 'flagged_items'];
    case 'approval.role_task_resolved':
    case 'approval.gate_resolved':
    case 'approval.changes_requested':
      return ['comment'];
    case 'hitl.resolved':
      return ['answer', 'comment'];
    case 'hitl.requested':
      return ['summary'];
    case 'tool.progress':
      return ['message'];
    case 'memory.recalled':
      return ['keys'];
    case 'memory.written':
      return ['key', 'source'];
    case 'step.repeated':
    case 'executor.started':
      return ['lost'];
    case 'agent.started':
    case 'approval.expired':
    case 'approval.gate_opened':
    case 'approval.reminder':
    case 'input.validated':
    case 'rework':
    case 'limit.breached':
    case 'output.validated':
    case 'run.attachments':
    case 'run.resumed':
    case 'run.started':
    case 'run.stopped':
    case 'skill.gap':
    case 'step.in_doubt':
    case 'step.waiting':
    case 'step.admitted':
    case 'trigger.fired':
    case 'trust.denied':
    case 'trust.degraded':
    case 'intent.drift':
      return [];
    default:
      return assertNever(type);
  }
}
