import type { GateRound, RecordedDecision, ReviewItem, ReviewState, RoleDirectory } from '../../domain/gates.js';
import { foldName } from '../../lib/fold-name.js';
import { isSamePerson } from './people.js';

/** Who wants to sign a task of a round, by the registry of now. */
interface Signing {
  readonly gate: GateRound;
  readonly task: Pick<ReviewItem, 'reopened'>;
  readonly roles: RoleDirectory;
  readonly person: string;
}

/**
 * True when the task asks for somebody who has not signed this round, counted or not, under the
 * name of then or of now: it opened again, or the policy counts people and the person has approved
 * under a name that was taken for somebody else's, since the registry says whose it is only now.
 */
export function asksForAnother({ decisions }: Pick<ReviewState, 'decisions'>, signing: Signing): boolean {
  const { gate, task, roles, person } = signing;
  const own = decisions.filter((decision) => isOfPerson(decision, { gate, roles, person }));
  if (task.reopened > 0) return own.length > 0;
  return (
    gate.policy.minDistinctApprovers !== null &&
    own.some(
      (decision) => decision.outcome === 'approve' && !decision.stale && foldName(decision.person) !== foldName(person),
    )
  );
}

const isOfPerson = (
  decision: RecordedDecision,
  { gate, roles, person }: Pick<Signing, 'gate' | 'roles' | 'person'>,
): boolean =>
  decision.gateId === gate.gateId &&
  decision.round === gate.round &&
  (isSamePerson(roles, decision.person, person) || isSamePerson(roles, decision.identity, person));
