// Whether a gate can be approved at all, and whether people can sign themselves into a corner: by
// walking every order of approvals.
import type { ApprovalPolicy } from '../../../src/domain/gates.js';
import { attempt } from './attempt.js';
import type { Author, People } from './people.js';
import { firstRound } from './rounds.js';
import { lastRound, type Round, type World } from './world.js';

export interface Reach {
  /** Some order of approvals ends in `approved`. */
  readonly satisfiable: boolean;
  /** Satisfiable, and some order of approvals ends where no further approval can help. */
  readonly deadlock: boolean;
}

const keyOf = ({ tasks, signatures }: Round): string =>
  `${signatures.map(({ task, person, stale }) => `${task}${stale ? '-' : '+'}${person}`).join()}|${tasks.map(({ by }) => by).join()}`;

/** Members of roles who may sign, by person; everybody else is refused anyway. */
const signers = ({ seats }: People): readonly string[] => [
  ...new Set([...seats.values()].flatMap(({ members }) => [...members])),
];

interface Ending {
  readonly approved: boolean;
  readonly stuck: boolean;
}

/** What can still become of a world with one gate of one round; remembers what it walked. */
export function walker(people: People): (world: World) => Ending {
  const persons = signers(people);
  const endings = new Map<string, Ending>();
  const visit = (world: World): Ending => {
    const round = lastRound(world.gates[0] as World['gates'][number]);
    if (round.status !== 'pending') return { approved: round.status === 'approved', stuck: false };
    const key = keyOf(round);
    const known = endings.get(key);
    if (known !== undefined) return known;
    let [approved, stuck, moves] = [false, false, 0];
    for (let task = 0; task < round.tasks.length; task++) {
      for (const identity of persons) {
        const target = { gate: 0, round: 0, task };
        const verdict = attempt(world, {
          target,
          identity,
          assurance: 'authenticated',
          isUnauthenticated: false,
          outcome: 'approve',
          comment: '',
        });
        if (verdict.kind !== 'recorded') continue;
        const ending = visit(verdict.world);
        moves += 1;
        approved ||= ending.approved;
        stuck ||= ending.stuck;
      }
    }
    const ending = { approved, stuck: stuck || moves === 0 };
    endings.set(key, ending);
    return ending;
  };
  return visit;
}

export function reach(policy: ApprovalPolicy, people: People, author: Author): Reach {
  const start: World = {
    people,
    author,
    stopped: false,
    nowMs: 0,
    gates: [firstRound(policy, 'a', { sha256: 's', diff: null, parts: {} }, 0)],
  };
  const { approved, stuck } = walker(people)(start);
  return { satisfiable: approved, deadlock: approved && stuck };
}
