import { gatewayCallsAnswered } from '../../prompts/harness.js';
import type { Activate, Activation } from '../activation-call.js';
import { isParked, mergeWaits, type Parked } from '../park.js';
import { withoutAbort } from '../scopes.js';
import type { RunServices } from '../services.js';
import { dispatchCalls } from '../tool-calls.js';
import { gatewayLedger, withoutChildren } from './gateway.js';
import type { WaitingCall } from './waiting-call.js';

/**
 * Carries the calls out that waited for others, as soon as those have acted: no program is there
 * then, and the one that comes after it has its answers ready. Parks while one of them waits on.
 */
export async function settleWaiting(
  services: RunServices,
  of: { readonly activation: Activation; readonly activate: Activate; readonly calls: readonly WaitingCall[] },
): Promise<Parked | null> {
  const waits: Parked[] = [];
  for (const { turn, name, input } of of.calls) {
    const done = await dispatchCalls(withoutAbort(services), {
      ...{ activation: withoutChildren(of.activation), activate: of.activate, ledger: gatewayLedger() },
      ...{ turnKey: turn, reads: [], isCutOff: false, closed: null },
      calls: [{ type: 'tool_call', id: turn, name, input }],
    });
    if (isParked(done)) waits.push({ parked: done.parked });
  }
  return waits.length === 0 ? null : { parked: mergeWaits(waits.flatMap(({ parked }) => parked)) };
}

/** What the session is told that goes on with them. */
export const waitingText = (calls: readonly WaitingCall[]): string =>
  gatewayCallsAnswered(calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`));
