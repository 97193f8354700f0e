import type { GateRound, ReviewState, RoleDirectory } from '../../domain/gates.js';
import { isSamePerson } from './people.js';

/**
 * True when the person decided something in this round, counted or not, under the name of then or
 * of now.
 */
export const hasSigned = (
  state: Pick<ReviewState, 'decisions'>,
  gate: GateRound,
  roles: RoleDirectory,
  person: string,
): boolean =>
  state.decisions.some(
    (decision) =>
      decision.gateId === gate.gateId &&
      decision.round === gate.round &&
      (isSamePerson(roles, decision.person, person) || isSamePerson(roles, decision.identity, person)),
  );
