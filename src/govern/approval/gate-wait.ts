import type { GateRound, ReviewState } from '../../domain/gates.js';
import type { Wait } from '../../domain/wait.js';
import { isOpen } from './rules.js';

/**
 * What the `error` of a parked job says of one gate: which it is, and whose decision is
 * outstanding.
 */
export function gateWait(state: Pick<ReviewState, 'items'>, gate: GateRound): Wait {
  const open = state.items.filter((item) => item.gateId === gate.gateId && item.round === gate.round && isOpen(item));
  const roles = [...new Set(open.flatMap((item) => (item.role === null ? [] : [item.role])))];
  return {
    id: gate.gateId,
    text: `gate ${gate.gateId} awaits ${roles.length === 0 ? 'a decision' : `sign-off by ${roles.join(', ')}`}`,
  };
}
