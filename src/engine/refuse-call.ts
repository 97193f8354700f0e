import type { EventDraft } from './draft.js';
import type { RunServices } from './services.js';
import type { CallAnswer, PlacedCall, Refusal } from './tool-calls.js';

export interface RefusedCall extends PlacedCall {
  readonly reason: Refusal;
  readonly agentId: string;
}

/** A call that is not carried out still gets a row, an event and a result: a provider expects one result for each call. */
export async function refuseCall(services: RunServices, refused: RefusedCall): Promise<CallAnswer> {
  const { call, index, key, reason, agentId } = refused;
  const outcome = await services.steps.answer<null>(
    { key, kind: 'tool', identity: { refused: reason.reason, tool: call.name }, effects: 'none', onInDoubt: 'repeat', agentId, units: 0 },
    () => ({ outcome: { status: 'failed', reason: reason.reason, message: reason.message }, events: [eventOf(refused)] }),
  );
  const message = outcome.status === 'failed' ? outcome.message : reason.message;
  return { index, id: call.id, name: call.name, isError: true, output: { status: 'refused', reason: reason.reason, message } };
}

function eventOf(refused: RefusedCall): EventDraft {
  const { call, reason, agentId } = refused;
  if (reason.reason === 'unknown_tool') {
    return { type: 'skill.gap', agentId, skillId: null, payload: { tool: call.name, available: [...reason.available] } };
  }
  return { type: 'tool.refused', agentId, skillId: null, payload: { tool: call.name, reason: reason.reason } };
}
