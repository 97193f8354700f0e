import type { RunEvent } from '../../src/domain/events.js';
import type { GateOpening } from '../../src/domain/gates.js';
import { gateOpened } from './review-samples.js';
import { eventOf } from './store-samples.js';

/** What the log says of a gate that opens: without it nothing may follow from the gate. */
export const gateOpenedEvents = (uuid: () => string, { gate, items }: GateOpening): readonly RunEvent[] => [
  gateOpened(uuid(), gate),
  eventOf(uuid(), 'approval.gate_opened', {
    gate_id: gate.gateId,
    round: gate.round,
    artifact_ref: gate.artifactRef,
    sha256: gate.sha256,
    policy_digest: gate.policyDigest,
    role_tasks: items.flatMap(({ id, role, scope, ruleIndex }) =>
      role === null || scope === null || ruleIndex === null
        ? []
        : [{ item_id: id, role, scope, rule_index: ruleIndex, carried: false }],
    ),
    author: { identity: 'dana', assurance: 'authenticated', identified: true },
  }),
];
