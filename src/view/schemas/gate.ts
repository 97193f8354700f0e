// What `toWireGate` makes: a gate in its newest round.
import type { GateEvidence } from '../../domain/gates.js';
import { asWord, type PastePlace, sentPlaceWord, shellWord } from '../../lib/shell-word.js';
import type { ComprehensionReport } from '../comprehension.js';
import type { GateActor, GateDetails } from '../gate-details.js';
import { fromWire, toWire } from './codec.js';
import { ASKED_FIELDS, ITEM, ITEM_STATUS, readItem, shownItem } from './item.js';
import {
  ANY,
  arrayOf,
  BOOLEAN,
  COUNT,
  closed,
  described,
  held,
  INTEGER,
  NUMBER,
  nullable,
  oneOf,
  type Schema,
  STRING,
  STRINGS,
  TIMESTAMP,
  type TypeOf,
} from './words.js';

const RESOLUTION = closed({
  item_id: STRING,
  role: STRING,
  scope: STRING,
  status: ITEM_STATUS,
  resolved_by: STRING,
  comment: STRING,
  round: INTEGER,
  at: TIMESTAMP,
  stale: BOOLEAN,
  carried_from: nullable(INTEGER),
});

const ACTOR = closed({
  item_id: STRING,
  rule_index: INTEGER,
  role: STRING,
  scope: STRING,
  members: STRINGS,
  command: nullable(STRING),
});

const AUTHOR = closed({
  identity: STRING,
  person: STRING,
  assurance: oneOf(['authenticated', 'asserted', 'system']),
  identified: BOOLEAN,
  note: nullable(STRING),
});

const EVIDENCE = closed({
  retries: INTEGER,
  escalated: BOOLEAN,
  failed_layers: arrayOf(STRING as Schema<GateEvidence['failedLayers'][number]>),
  critique: nullable(STRING),
  judge: nullable(closed({ skill: STRING, verdict: STRING, confidence: NUMBER, reasoning: STRING })),
  findings: arrayOf(ANY),
  diff_sha256: nullable(STRING),
});

const GATE_FIELDS = {
  gate_id: STRING,
  run_id: STRING,
  topology_id: STRING,
  agent_id: STRING,
  funnel_id: STRING,
  round: INTEGER,
  status: ITEM_STATUS,
  resolved: BOOLEAN,
  quorum_evaluated: BOOLEAN,
  artifact_ref: STRING,
  sha256: STRING,
  media_type: STRING,
  items: arrayOf(ITEM),
  resolutions: arrayOf(RESOLUTION),
  distinct_approvers: STRINGS,
  min_distinct_approvers: nullable(INTEGER),
  outstanding: STRINGS,
  who_can_act: held('actors', arrayOf(ACTOR)),
  stuck: STRINGS,
  halted: nullable(STRING),
  exclude_author: BOOLEAN,
  exclude_author_unapplied: BOOLEAN,
  author: AUTHOR,
  earlier_authors: arrayOf(closed({ identity: STRING, person: STRING, run_id: held('jobId', STRING) })),
  evidence: EVIDENCE,
  escalated_to: STRINGS,
  opened_at: TIMESTAMP,
  expires_at: nullable(TIMESTAMP),
  expired: BOOLEAN,
  decided_at: nullable(TIMESTAMP),
  withdrawn: BOOLEAN,
};

/** A gate beside an item that tells what is asked. */
export const GATE = closed(GATE_FIELDS);
export type WireGate = TypeOf<typeof GATE>;

/** With what is asked at it. */
export const ASKED_GATE = closed({ ...GATE_FIELDS, ...ASKED_FIELDS });

/**
 * A gate as CLI and HTTP show it (docs/design/decisions.md#wire). `who_can_act[].command` is the
 * line with which the first of the members approves; null where nobody can now. It names the
 * workspace as `workspaceArgument` does.
 */
export function toWireGate(gate: GateDetails, workspaceArgument: PastePlace = ''): WireGate {
  return toWire(GATE, {
    ...gate,
    items: gate.items.map(shownItem),
    actors: gate.actors.map((actor) => ({
      ...actor,
      command: gate.halted === null ? approveCommand(actor, workspaceArgument) : null,
    })),
    minDistinctApprovers: gate.policy.minDistinctApprovers,
  });
}

/** A gate out of what `toWireGate` makes; its rules stay with the server, which decides by them. */
export function fromWireGate(value: unknown): GateDetails {
  const { minDistinctApprovers, ...gate } = fromWire(GATE, value);
  const { excludeAuthor } = gate;
  return {
    ...gate,
    items: gate.items.map(readItem),
    policy: { rules: [], excludeAuthor, onRevision: 'reset_all', minDistinctApprovers, expiry: null },
  };
}

function approveCommand({ itemId, members: [first] }: GateActor, place: PastePlace): string | null {
  if (first === undefined) return null;
  return `kit review resolve ${shellWord(itemId)}${sentPlaceWord(place)}${asWord(first, place)} --approve`;
}

export const COMPREHENSION = closed({
  verdict: oneOf(['ok', 'debt', 'unknown']),
  since: described(STRING, 'Approvals of this moment or later, ISO 8601.'),
  threshold_seconds: NUMBER,
  approvals_seen: COUNT,
  fast_approvals: arrayOf(
    closed({
      gate_id: STRING,
      run_id: STRING,
      latency_seconds: held('latencyMs', NUMBER, 1000),
      distinct_approvers: COUNT,
      timestamp: STRING,
    }),
  ),
  deferred: described(STRINGS, 'What is not measured.'),
});
export type WireComprehension = TypeOf<typeof COMPREHENSION>;

/** How fast people approve, as CLI and HTTP show it. */
export const toWireComprehension = (report: ComprehensionReport): WireComprehension =>
  toWire(COMPREHENSION, {
    ...report,
    fastApprovals: report.fastApprovals.map((one) => ({ ...one, distinctApprovers: one.approvers.length })),
  });
