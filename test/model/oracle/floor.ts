// Whether enough different people can still sign, by trying every way to hand out the open tasks.
import { personOf } from './people.js';
import type { Gate, Round, World } from './world.js';

/** Who may decide an open task, whoever signs the others. */
function able({ people, author }: World, { policy }: Gate, round: Round, task: number): readonly string[] {
  const { rule = -1, role = '', reopened = 0 } = round.tasks[task] ?? {};
  const seat = people.seats.get(role);
  if (seat === undefined || !seat.scopes.has(round.rules[rule]?.scope ?? '')) return [];
  return [...seat.members].filter(
    (person) =>
      !(policy.excludeAuthor && person === personOf(people, author.identity)) &&
      !(reopened > 0 && round.signatures.some((signature) => signature.person === person)),
  );
}

/** The most people there can be in the end, each of the new ones with a task of their own. */
function most(signed: ReadonlySet<string>, open: readonly (readonly string[])[]): number {
  const [first, ...rest] = open;
  if (first === undefined) return signed.size;
  const others = first.filter((person) => !signed.has(person));
  return Math.max(most(signed, rest), ...others.map((person) => most(new Set([...signed, person]), rest)));
}

/** This approval leaves too few people for the floor. */
export function spoilsFloor(world: World, gate: Gate, round: Round, task: number, person: string): boolean {
  const floor = gate.policy.minDistinctApprovers ?? 0;
  if (round.status !== 'pending' || round.withdrawn || (round.tasks[task]?.by ?? -1) >= 0) return false;
  const counting = round.signatures.filter(({ stale, outcome }) => !stale && outcome === 'approve');
  const signed = new Set(counting.map((signature) => signature.person));
  const open = round.tasks.flatMap(({ by }, index) => (by < 0 ? [index] : []));
  const peopleOf = (tasks: readonly number[]) => tasks.map((index) => able(world, gate, round, index));
  const after = most(new Set([...signed, person]), peopleOf(open.filter((index) => index !== task)));
  return after < floor;
}
