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

/** Inputs and outputs of one tool call as they may be logged: credentials masked, paths redacted, then shortened. */
export function redactCall(call: CallRecord, rules: RedactionRules, masker: Masker): ShownCall {
  const shown = redactContent({ inputs: call.inputs, outputs: call.outputs }, rules, masker);
  return { ...(shown.inputs === undefined ? {} : { inputs: shown.inputs }), ...(shown.outputs === undefined ? {} : { outputs: shown.outputs }) };
}

/**
 * A whole payload before it is written. Paths apply to the fields that carry content; what says which event it is
 * (status, tool, counts, digests) stays, so that the event still fits its schema. Credentials are masked in both.
 */
export function redactPayload(type: EventType, payload: JsonObject, rules: RedactionRules, masker: Masker): JsonObject {
  const content = new Set(contentFields(type));
  const shape = Object.entries(payload).filter(([name]) => !content.has(name));
  const shown = redactContent(Object.fromEntries(Object.entries(payload).filter(([name]) => content.has(name))), rules, masker);
  return { ...Object.fromEntries(shape.map(([name, value]) => [name, CLOSED_WORDS.has(name) ? value : masker.maskJson(value)])), ...shown };
}

function redactContent(content: JsonObject, rules: RedactionRules, masker: Masker): JsonObject {
  const masked = masker.maskJson(content);
  const redacted = rules.broken.length === 0 ? redactRecord(masked, rules.paths) : eraseFields(masked);
  const { inputs, outputs, ...rest } = redacted;
  const shownInputs = inputs === undefined ? undefined : shorten(inputs, rules.policy.logInputs);
  const shownOutputs = outputs === undefined ? undefined : shorten(outputs, rules.policy.logOutputs);
  return { ...rest, ...(shownInputs === undefined ? {} : { inputs: shownInputs }), ...(shownOutputs === undefined ? {} : { outputs: shownOutputs }) };
}

const eraseFields = (content: JsonObject): JsonObject => Object.fromEntries(Object.entries(content).map(([name, value]) => [name, eraseAll(value)]));

/** Fields whose values are words of a closed list: a secret that spells one of them hides nothing by being masked. */
const CLOSED_WORDS: ReadonlySet<string> = new Set([
  'status',
  'policy_decision',
  'effects',
  'purpose',
  'assurance',
  'from_status',
  'action',
  'role',
  'kind',
]);

/** Where text of users, tools and models stands. A new event type does not compile until it is decided here. */
export function contentFields(type: EventType): readonly string[] {
  switch (type) {
    case 'skill.executed':
      return ['inputs', 'outputs', 'reason', 'policy_reason'];
    case 'executor.message':
      return ['text'];
    case 'executor.tool_call':
      return ['summary'];
    case 'executor.result':
      return ['reason', 'exit_metadata'];
    case 'model.called':
      return ['reason', 'sources'];
    case 'agent.completed':
    case 'policy.denied':
    case 'tool.refused':
      return ['reason'];
    case 'output.validation_failed':
    case 'input.rejected':
      return ['errors'];
    case 'run.ended':
      return ['error'];
    case 'step.repeated':
    case 'executor.started':
      return ['lost'];
    case 'agent.started':
    case 'input.validated':
    case 'limit.breached':
    case 'output.validated':
    case 'run.attachments':
    case 'run.resumed':
    case 'run.started':
    case 'run.stopped':
    case 'skill.gap':
    case 'step.in_doubt':
      return [];
    default:
      return assertNever(type);
  }
}
