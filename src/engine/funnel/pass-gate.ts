import type { StepOutcome } from '../../domain/journal.js';
import type { Json } from '../../domain/json.js';
import { isParked, type Parked } from '../park.js';
import { outOfPlace } from '../scopes.js';
import type { RunServices } from '../services.js';
import { artifactOf } from './gate-draft.js';
import type { GateValue, GateVisit, OpenVisit } from './gate-visit.js';
import { openGate } from './open-gate.js';
import type { ReportedDecision } from './revise.js';
import { settleGate } from './settle-gate.js';

/** How a draft leaves the gate. */
export type Passage =
  | { readonly kind: 'out' }
  | { readonly kind: 'changes'; readonly round: number; readonly decisions: readonly ReportedDecision[] }
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string; readonly data: Json };

/**
 * The gate step of a draft, `<activation>/g<n>`: its row opens the round, and stays open until the
 * people have decided. It is bound to the bytes they decide about: a draft that would hash
 * otherwise diverges, and never passes on somebody else's signature.
 */
export async function passGate(services: RunServices, visit: GateVisit): Promise<Passage | Parked> {
  const { activation, funnel, gate, draft } = visit;
  const { id: agentId } = activation.node;
  const artifact = artifactOf(draft);
  const place = { agentId, key: activation.key };
  const open: OpenVisit = {
    ...visit,
    artifact,
    gateId: `${services.jobId}:${agentId}`,
    key: `${activation.key}/g${gate}`,
  };
  const outcome = await services.steps.ask<GateValue>(
    {
      key: open.key,
      kind: 'gate',
      identity: { agent: agentId, funnel: funnel.id, sha256: artifact.sha256, diff: artifact.diffSha256 },
      effects: 'none',
      onInDoubt: 'repeat',
      agentId,
      units: 0,
    },
    {
      // Who waits for its turn is not at work.
      open: () =>
        outOfPlace(services, () => services.gateOrder.take(place, services.signal, () => openGate(services, open))),
      settle: () => settleGate(services, open),
    },
  );
  return isParked(outcome) ? outcome : passageOf(outcome);
}

function passageOf(outcome: StepOutcome<GateValue>): Passage {
  if (outcome.status === 'failed')
    return { kind: 'failed', reason: outcome.reason, message: outcome.message, data: outcome.data ?? null };
  const { value } = outcome;
  return value.decision === 'changes-requested'
    ? { kind: 'changes', round: value.round, decisions: value.decisions }
    : { kind: 'out' };
}
