import type { AgentChange } from '../../domain/changes.js';
import type { GateRound, ReviewState } from '../../domain/gates.js';
import type { Job } from '../../domain/job.js';

/** What is asked of a run whose changes are to be applied. */
export interface ApplyQuestion {
  readonly job: Pick<Job, 'id' | 'status' | 'reason' | 'ungated'>;
  readonly changes: readonly AgentChange[];
  /** Ids of the agents whose work people have to sign. */
  readonly gated: ReadonlySet<string>;
  readonly state: Pick<ReviewState, 'gates' | 'items'>;
  /** Somebody wants what is not whole as well. */
  readonly partial: boolean;
}

/**
 * Why the changes of a run are not applied, a sentence each; [] = they are. What people have
 * rejected, have not decided, or were never asked about stays where it is, whatever flag is given.
 */
export function applyRefusals({ job, changes, gated, state, partial }: ApplyQuestion): readonly string[] {
  const newest = [...new Map(state.gates.map((gate) => [gate.gateId, gate])).values()];
  const approved = newest.flatMap(({ gateId, status }) => (status === 'approved' ? [gateId] : []));
  const mustBeSigned = (agentId: string): boolean =>
    gated.has(agentId) && !job.ungated.includes(`${job.id}:${agentId}`);
  return [
    ...runRefusals(job, partial),
    ...newest.flatMap(gateRefusals),
    ...changes.flatMap((change) => changeRefusals(change, partial)),
    ...changes.flatMap((change) => unsigned(change, { approved, mustBeSigned: mustBeSigned(change.agentId), partial })),
  ];
}

function runRefusals({ id, status, reason }: ApplyQuestion['job'], partial: boolean): readonly string[] {
  switch (status) {
    case 'completed':
      return [];
    case 'pending':
    case 'queued':
    case 'running':
      return [`run ${id} is still ${status}`];
    case 'deferred':
      return [`run ${id} waits for people`];
    case 'failed':
    case 'stopped':
      return partial
        ? []
        : [
            `run ${id} ${status === 'failed' ? 'failed' : 'was stopped'}${reason === null ? '' : ` (${reason})`}: --partial takes what it came to`,
          ];
  }
}

/** Of each gate the newest round says how it stands. */
function gateRefusals({ gateId, status, withdrawn }: GateRound): readonly string[] {
  if (status === 'approved') return [];
  if (status === 'rejected') return [`gate ${gateId} was rejected`];
  return [withdrawn ? `gate ${gateId} closed without a decision` : `gate ${gateId} is open`];
}

function changeRefusals({ agentId, state, reason, signed }: AgentChange, partial: boolean): readonly string[] {
  if (state === 'ungoverned') return [`agent ${agentId} did what nobody was asked about (${reason})`];
  if (state === 'partial' && !partial)
    return [`the change of agent ${agentId} is partial (${reason}): --partial takes it`];
  if (signed?.status === 'approved' && !signed.isSame)
    return [`what was signed at gate ${signed.gateId} is not what the journal holds of agent ${agentId}`];
  return [];
}

/**
 * A gate that was approved for another activation of the agent says nothing about this one. One
 * that never came to its gate did not come to its end.
 */
function unsigned(
  { agentId, diff, state, signed }: AgentChange,
  of: { readonly approved: readonly string[]; readonly mustBeSigned: boolean; readonly partial: boolean },
): readonly string[] {
  if (diff === '' || signed?.status === 'approved') return [];
  if (signed !== null)
    return of.approved.includes(signed.gateId)
      ? [`round ${signed.round} of gate ${signed.gateId} was not approved`]
      : [];
  return of.mustBeSigned && state === 'whole' && !of.partial
    ? [`nobody was asked about the change of agent ${agentId}: --partial takes it`]
    : [];
}
