// What may happen next in a random case: mostly what brings it forward, sometimes what must be
// refused.
import { below, oneOf, type Random } from '../../support/fuzz-mutations.js';
import type { Case, Move } from '../drive/case.js';
import type { Attempt, Target } from '../oracle/attempt.js';
import { personOf } from '../oracle/people.js';
import { lastRound, type World } from '../oracle/world.js';
import { anyName, type Cast, directory, draft } from './random-case.js';

const OUTCOMES: readonly (readonly [outcome: string, comment: string])[] = [
  ...Array.from({ length: 38 }, () => ['approve', ''] as const),
  ...Array.from({ length: 4 }, () => ['changes_requested', 'shorter'] as const),
  ['changes-requested', 'longer'],
  ['reject', 'no'],
  ['reject', ''],
  ['changes_requested', ' \n'],
  ['maybe', ''],
];

/** A task that is open, and somebody who sits on its role. */
function promising(random: Random, world: World): { readonly target: Target; readonly person: string } | null {
  const gate = below(random, world.gates.length);
  const rounds = world.gates[gate]?.rounds ?? [];
  const round = rounds[rounds.length - 1];
  const open = round?.tasks.map(({ by }, task) => ({ by, task })).filter(({ by }) => by < 0) ?? [];
  if (round === undefined || open.length === 0) return null;
  const { task } = oneOf(random, open);
  const members = [...(world.people.seats.get(round.tasks[task]?.role ?? '')?.members ?? [])];
  return members.length === 0
    ? null
    : { target: { gate, round: rounds.length - 1, task }, person: oneOf(random, members) };
}

function anyTarget(random: Random, world: World): Target {
  const kind = random();
  if (kind < 0.03) return null;
  if (kind < 0.06) return 'other';
  const gate = below(random, world.gates.length);
  const rounds = world.gates[gate]?.rounds ?? [];
  const round = below(random, rounds.length);
  return { gate, round, task: below(random, rounds[round]?.tasks.length ?? 1) };
}

function anAttempt(random: Random, start: Case, cast: Cast, world: World): Attempt {
  const good = random() < 0.8 ? promising(random, world) : null;
  const names = good === null ? [] : cast.names.flat().filter((name) => personOf(world.people, name) === good.person);
  const identity = names.length > 0 ? oneOf(random, names) : anyName(random, cast);
  const [outcome, comment] = oneOf(random, OUTCOMES);
  const isUnauthenticated = random() < 0.5;
  // No entry point of the product lets an asserted name in where decisions are authenticated.
  // Whether a name that stands among the members alone identifies an author is left open by the
  // texts, and shows only there.
  const sure =
    start.author.assurance !== 'asserted' ||
    start.author.identity === 'anonymous' ||
    world.people.names.has(start.author.identity);
  const assurance = isUnauthenticated || (sure && random() < 0.05) ? 'asserted' : 'authenticated';
  return { target: good?.target ?? anyTarget(random, world), identity, assurance, isUnauthenticated, outcome, comment };
}

/** The next round where one is due; null where none is, or where a rejection ended the run. */
function aRound(random: Random, world: World): Move | null {
  if (world.gates.some((gate) => lastRound(gate).status === 'rejected')) return null;
  for (const [gate, { policy, rounds }] of world.gates.entries()) {
    const { status, activation, withdrawn } = lastRound({ policy, rounds });
    const another = status === 'approved' && random() < 0.2;
    if (withdrawn || !(another || (status === 'changes-requested' && random() < 0.7))) continue;
    return {
      kind: 'round',
      gate,
      activation: another ? `root/d0/t${rounds.length}` : activation,
      draft: draft(random, policy),
    };
  }
  return null;
}

/**
 * Entry points sweep before they decide; that one forgets is what a refused attempt after the
 * instant is for.
 */
const timePasses = (random: Random): Move =>
  random() < 0.5 ? { kind: 'sweep' } : { kind: 'clock', ms: oneOf(random, [1, 43_200_000, 86_400_000, 86_400_000]) };

export function randomMove(random: Random, start: Case, cast: Cast, world: World): Move {
  const kind = random();
  if (kind < 0.02) return { kind: 'registry', roles: directory(random, cast) };
  if (kind < 0.03 || (world.stopped && kind < 0.4)) return { kind: 'run', stopped: !world.stopped };
  if (kind > 0.8 && start.policies.some(({ expiry }) => expiry !== null)) return timePasses(random);
  const round = world.stopped ? null : aRound(random, world);
  return round ?? { kind: 'attempt', attempt: anAttempt(random, start, cast, world) };
}
