import type { AgentChange } from '../../domain/changes.js';
import type { ReviewState } from '../../domain/gates.js';
import type { Job } from '../../domain/job.js';

/** What is asked of a run whose changes are to be applied. */
export interface ApplyQuestion {
  readonly job: Pick<Job, 'id' | 'status' | 'reason'>;
  readonly changes: readonly AgentChange[];
  readonly state: Pick<ReviewState, 'gates' | 'items'>;
  /** Somebody wants what is not whole as well. */
  readonly partial: boolean;
}

/**
 * Why the changes of a run are not applied, a sentence each; [] = they are. What people have
 * rejected, have not decided, or were never asked about stays where it is, whatever flag is given.
 */
export function applyRefusals({ job, changes, state, partial }: ApplyQuestion): readonly string[] {
  return [
    ...runRefusals(job, partial),
    ...gateRefusals(state),
    ...changes.flatMap((change) => changeRefusals(change, partial)),
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
function gateRefusals({ gates }: ApplyQuestion['state']): readonly string[] {
  const newest = new Map(gates.map((gate) => [gate.gateId, gate]));
  return [...newest.values()].flatMap((gate) => {
    if (gate.status === 'approved') return [];
    if (gate.status === 'rejected') return [`gate ${gate.gateId} was rejected`];
    return [gate.withdrawn ? `gate ${gate.gateId} closed without a decision` : `gate ${gate.gateId} is open`];
  });
}

function changeRefusals({ agentId, state, reason, signed }: AgentChange, partial: boolean): readonly string[] {
  if (state === 'ungoverned') return [`agent ${agentId} did what nobody was asked about (${reason})`];
  if (state === 'partial' && !partial)
    return [`the change of agent ${agentId} is partial (${reason}): --partial takes it`];
  if (signed?.status === 'approved' && !signed.isSame)
    return [`what was signed at gate ${signed.gateId} is not what the journal holds of agent ${agentId}`];
  return [];
}
