// What `toWireItem` and `toWireAsked` make: what waits for people, and what is asked at it.
import type { RecordedDecision, ReviewItem } from '../../domain/gates.js';
import type { GateElsewhere } from '../../domain/ports/remote-waits.js';
import { isObject } from '../../lib/json.js';
import { fieldsOf } from '../../lib/read-json.js';
import type { ReviewRequest } from '../asked.js';
import { fromWire, toWire } from './codec.js';
import {
  ANY,
  arrayOf,
  BOOLEAN,
  closed,
  type HeldOf,
  held,
  INTEGER,
  NUMBER,
  nullable,
  oneOf,
  recordOf,
  STRING,
  STRINGS,
  TIMESTAMP,
  type TypeOf,
} from './words.js';

export const ITEM_STATUS = oneOf(['pending', 'approved', 'rejected', 'changes-requested']);
const OUTCOME = oneOf(['approve', 'reject', 'changes_requested']);

/**
 * A review item with every field of the interface; an item that is not a role task has null where a
 * role task has its gate and role.
 */
export const ITEM_FIELDS = {
  id: STRING,
  kind: oneOf(['permission', 'input', 'role_task', 'other']),
  agent_id: STRING,
  topology_id: STRING,
  run_id: held('jobId', STRING),
  skill_id: nullable(STRING),
  gate_id: nullable(STRING),
  role: nullable(STRING),
  scope: nullable(STRING),
  rule_index: nullable(INTEGER),
  round: INTEGER,
  status: ITEM_STATUS,
  resolved_by: STRING,
  comment: STRING,
  answer: nullable(STRING),
  reason: STRING,
  capability: nullable(STRING),
  question: nullable(STRING),
  options: STRINGS,
  free_text_allowed: BOOLEAN,
  details: ANY,
  artifact_ref: STRING,
  stale: BOOLEAN,
  withdrawn: BOOLEAN,
  escalated: BOOLEAN,
  reopened: INTEGER,
  timestamp: held('createdAt', TIMESTAMP),
  resolved_at: nullable(TIMESTAMP),
};
export const ITEM = closed(ITEM_FIELDS);
export type WireItem = TypeOf<typeof ITEM>;

const EARLIER_DECISION = closed(
  {
    by: STRING,
    role: nullable(STRING),
    outcome: OUTCOME,
    comment: STRING,
    round: INTEGER,
    at: TIMESTAMP,
    counts: BOOLEAN,
    answer: STRING,
  },
  ['answer'],
);

const STEP = closed({
  depth: INTEGER,
  kind: oneOf(['agent', 'call']),
  name: STRING,
  status: STRING,
  count: INTEGER,
  model_calls: INTEGER,
  duration_ms: nullable(NUMBER),
  cost_usd: nullable(NUMBER),
});

/**
 * What is asked: the request behind an item or a gate. `input` is masked, and cut where `input_cut`
 * says so (`GET /jobs/{run_id}` has the whole); `led_here` is null in lists.
 */
export const REQUEST = closed({
  run_id: STRING,
  topology: STRING,
  version: nullable(STRING),
  description: nullable(STRING),
  input: STRING,
  input_chars: INTEGER,
  input_cut: BOOLEAN,
  attachments: STRINGS,
  submitted_by: closed({
    identity: STRING,
    assurance: oneOf(['authenticated', 'asserted', 'anonymous', 'system']),
  }),
  labels: recordOf(STRING),
  correlation_id: nullable(STRING),
  source: STRING,
  submitted_at: TIMESTAMP,
  asked_at: TIMESTAMP,
  age_seconds: held('ageMs', INTEGER, 1000),
  cost_usd: nullable(NUMBER),
  input_tokens: INTEGER,
  output_tokens: INTEGER,
  call: nullable(closed({ name: STRING, reason: STRING, details: ANY, approvers: STRINGS })),
  critique: nullable(STRING),
  decisions: arrayOf(EARLIER_DECISION),
  led_here: held('led', nullable(closed({ steps: arrayOf(STEP), left_out: INTEGER }))),
});

/** Whether the caller may decide, by the rule that decides. */
const YOU = closed({ can_decide: BOOLEAN, why_not: nullable(STRING) });
/** On the command line nobody in particular may be the one who looks. */
export const YOU_OR_NULL = nullable(YOU);

export const ASKED_FIELDS = { request: REQUEST, you: YOU };

export interface WireAsked {
  readonly request: TypeOf<typeof REQUEST>;
  readonly you: TypeOf<typeof YOU_OR_NULL>;
}

/** An item, with what is asked of whoever looks. */
export const ASKED_ITEM = closed({ ...ITEM_FIELDS, ...ASKED_FIELDS });

/** A decision with its evidence. */
export const DECISION = closed({
  id: STRING,
  item_id: STRING,
  gate_id: STRING,
  run_id: held('jobId', STRING),
  round: INTEGER,
  rule_index: INTEGER,
  role: STRING,
  scope: STRING,
  identity: STRING,
  person: STRING,
  assurance: oneOf(['authenticated', 'asserted']),
  outcome: OUTCOME,
  comment: STRING,
  at: TIMESTAMP,
  sha256: STRING,
  policy_digest: STRING,
  registry_digest: STRING,
  stale: BOOLEAN,
  carried_from: nullable(INTEGER),
  signed_by: nullable(STRING),
});
export type WireDecision = TypeOf<typeof DECISION>;

/** What people of another system decide, and where: nobody decides it here. */
export const ELSEWHERE = arrayOf(
  closed({ run: held('jobId', STRING), topology: STRING, agent: STRING, gate_url: STRING }),
);
export type WireElsewhere = TypeOf<typeof ELSEWHERE>;

/**
 * A review item as CLI and HTTP show it (docs/design/decisions.md#wire): `resolved_by` is '' while
 * it waits.
 */
export const toWireItem = (item: ReviewItem): WireItem => toWire(ITEM, shownItem(item));

/** An item out of what `toWireItem` makes. */
export const fromWireItem = (value: unknown): ReviewItem => readItem(fromWire(ITEM, value));

export const shownItem = (item: ReviewItem): HeldOf<typeof ITEM> => ({ ...item, capability: capabilityOf(item) });

export const readItem = ({ capability: _, ...item }: HeldOf<typeof ITEM>): ReviewItem => ({ ...item, stepKey: '' });

/**
 * What is asked, as CLI and HTTP show it beside its item or gate: `request`, and whether the one
 * who looks may decide: `you`, null where nobody in particular does. Ages are in seconds; an
 * unknown cost is null.
 */
export function toWireAsked(asked: ReviewRequest): WireAsked {
  const { topology, input, spent } = asked;
  return {
    request: toWire(REQUEST, {
      ...asked,
      topology: topology.name,
      version: topology.version,
      description: topology.description,
      input: input.text,
      inputChars: input.chars,
      inputCut: input.isCut,
      costUsd: spent?.costUsd ?? null,
      inputTokens: spent?.inputTokens ?? 0,
      outputTokens: spent?.outputTokens ?? 0,
    }),
    you: toWire(YOU_OR_NULL, asked.you),
  };
}

/** What is asked, out of what `toWireAsked` makes; null: there is no `request`. */
export function fromWireAsked(value: unknown): ReviewRequest | null {
  const { request, you } = fieldsOf(value);
  if (!isObject(request)) return null;
  const { topology: name, version, description, input: text, ...shown } = fromWire(REQUEST, request);
  const { inputChars: chars, inputCut: isCut, costUsd, inputTokens, outputTokens, ...asked } = shown;
  // A run that has not begun has used nothing, and its cost is told as unknown.
  const hasBegun = costUsd !== null || inputTokens !== 0 || outputTokens !== 0;
  return {
    ...asked,
    topology: { name, version, description },
    input: { text, chars, isCut },
    spent: hasBegun ? { costUsd, inputTokens, outputTokens } : null,
    you: fromWire(YOU_OR_NULL, you),
  };
}

/** A decision with its evidence, as it was recorded. */
export const toWireDecision = (decision: RecordedDecision): WireDecision =>
  toWire(DECISION, { ...decision, signedBy: decision.signature?.keyId ?? null });

/** A decision out of what `toWireDecision` makes. */
export function fromWireDecision(value: unknown): RecordedDecision {
  const { signedBy, ...made } = fromWire(DECISION, value);
  return {
    ...made,
    // What is not a proof is an assertion.
    assurance: made.assurance === 'authenticated' ? 'authenticated' : 'asserted',
    // The signature itself is checked where the decision lies.
    signature: signedBy === null ? null : { keyId: signedBy, publicKey: '', value: '' },
  };
}

function capabilityOf({ details }: ReviewItem): string | null {
  const value = isObject(details) ? details.capability : null;
  return typeof value === 'string' ? value : null;
}

/** What people of other systems decide, as CLI and HTTP show it. */
export const toWireElsewhere = (gates: readonly GateElsewhere[]): WireElsewhere => toWire(ELSEWHERE, gates);

/** Out of the member `elsewhere` of a page; a server that tells none has none. */
export const fromWireElsewhere = (page: { readonly elsewhere?: unknown }): readonly GateElsewhere[] =>
  fromWire(ELSEWHERE, page.elsewhere);
