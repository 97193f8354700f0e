import type { NewEvent } from './new-event.js';
import type { RunServices } from './services.js';
import type { CallAnswer, KeyedCall, Refusal } from './tool-call.js';

export interface RefusedCall extends KeyedCall {
  readonly reason: Refusal;
  readonly agentId: string;
}

/**
 * A call that is not carried out still gets a row, an event and a result: a provider expects one
 * result for each call.
 */
export async function refuseCall(services: RunServices, refused: RefusedCall): Promise<CallAnswer> {
  const { call, index, key, reason, agentId } = refused;
  const outcome = await services.steps.answer<null>(
    {
      key,
      kind: 'tool',
      identity: { refused: reason.reason, tool: call.name },
      effects: 'none',
      onInDoubt: 'repeat',
      agentId,
      units: 0,
    },
    () => ({
      outcome: { status: 'failed', reason: reason.reason, message: reason.message },
      events: eventsOf(services, refused),
    }),
  );
  const message = outcome.status === 'failed' ? outcome.message : reason.message;
  return {
    index,
    id: call.id,
    name: call.name,
    isError: true,
    output: { status: 'refused', reason: reason.reason, message },
  };
}

/**
 * A call of a tool that is not there is a gap; where gaps are not recorded it is refused like any
 * other.
 */
function eventsOf({ snapshot: { gaps } }: RunServices, { call, reason, agentId }: RefusedCall): readonly NewEvent[] {
  if (reason.reason === 'unknown_tool' && gaps?.enabled !== false) {
    const threshold =
      gaps === undefined || gaps.surfaceThreshold === 1 ? {} : { surface_threshold: gaps.surfaceThreshold };
    return [
      {
        type: 'skill.gap',
        agentId,
        skillId: null,
        payload: { tool: call.name, available: [...reason.available], ...threshold },
      },
    ];
  }
  return [{ type: 'tool.refused', agentId, skillId: null, payload: { tool: call.name, reason: reason.reason } }];
}
