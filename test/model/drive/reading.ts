// The read model of a gate: whom it waits for, and whether it says so when nobody may complete an
// open task.
import { gateReading } from '../../../src/govern/approval/gate-reading.js';
import { attempt } from '../oracle/attempt.js';
import { spoilsFloor } from '../oracle/floor.js';
import { type Gate, lastRound, type World } from '../oracle/world.js';
import type { Pair } from './case.js';
import { gateIdOf, itemIdOf } from './names.js';

const sorted = (names: Iterable<string>): string => [...names].sort().join();

/** People whose approval of a task would be recorded now, if they authenticate. */
function ableTo(world: World, gate: number, round: number, task: number): readonly string[] {
  const persons = new Set([...world.people.seats.values()].flatMap(({ members }) => [...members]));
  const target = { gate, round, task };
  const tried = {
    target,
    assurance: 'authenticated',
    isUnauthenticated: false,
    outcome: 'approve',
    comment: '',
  } as const;
  return [...persons].filter((identity) => attempt(world, { ...tried, identity }).kind === 'recorded');
}

/** Of these whoever leaves enough others for the floor; all of them where nobody does. */
function asked(world: World, gate: Gate, task: number, able: readonly string[]): string {
  const helping = able.filter((person) => !spoilsFloor(world, gate, lastRound(gate), task, person));
  return sorted(helping.length === 0 ? able : helping);
}

/** `isLost`: no order of approvals can approve the gate any more; null where nobody asked. */
function gateProblem({ world, state, roles }: Pair, index: number, gate: Gate, isLost: boolean | null): string | null {
  const reading = gateReading(state, gateIdOf(index), roles);
  if (reading === null) return 'a gate has no reading';
  const round = lastRound(gate);
  const number = gate.rounds.length - 1;
  if (reading.status !== round.status) return `the gate reads ${reading.status}, not ${round.status}`;
  const approvers = round.signatures
    .filter(({ stale, outcome }) => !stale && outcome === 'approve')
    .map(({ person }) => person);
  if (sorted(reading.distinctApprovers) !== sorted(new Set(approvers)))
    return `the gate reads approvers ${reading.distinctApprovers.join()}`;
  const isOpen = round.status === 'pending' && !round.withdrawn;
  const open = round.tasks.map(({ by }, task) => ({ by, task })).filter(({ by }) => isOpen && by < 0);
  if (reading.open.length !== open.length)
    return `the gate reads ${reading.open.length} open tasks, not ${open.length}`;
  let someStuck = false;
  for (const [at, { task }] of open.entries()) {
    const { rule = 0, role = '' } = round.tasks[task] ?? {};
    const reported = reading.open[at];
    const able = ableTo(world, index, number, task);
    const people = asked(world, gate, task, able);
    someStuck ||= people === '';
    if (reported?.itemId !== itemIdOf(index, rule, role, number))
      return `the gate reads ${reported?.itemId} as open task ${at}`;
    if (sorted(reported.people) !== people)
      return `the gate waits for ${sorted(reported.people)} at ${reported.itemId}, not for ${people}`;
    if ((reported.stuck !== null) !== (people === '')) return `the gate says of ${reported.itemId}: ${reported.stuck}`;
  }
  if (someStuck && reading.stuck.length === 0) return 'nobody may complete an open task, and the gate does not say so';
  const isHopeless = reading.stuck.length > open.filter((_, at) => reading.open[at]?.stuck !== null).length;
  return isHopeless && isLost === false ? `the gate can be approved, and says: ${reading.stuck.join('; ')}` : null;
}

export function readingProblem(pair: Pair, isLost: boolean | null): string | null {
  // Entry points let the clock act before they read, and a stopped run is stopped, not stuck.
  const awake: Pair = { ...pair, world: { ...pair.world, stopped: false, nowMs: Number.NEGATIVE_INFINITY } };
  for (const [index, gate] of pair.world.gates.entries()) {
    const problem = gateProblem(awake, index, gate, isLost);
    if (problem !== null) return problem;
  }
  return null;
}
