// Changes are requested until the gate gives up, for two activations of one agent, with decisions
// carried all the way.
import { Difference, type Pair } from '../drive/case.js';
import { begin } from '../drive/open.js';
import { step } from '../drive/step.js';
import { count, type Explored } from './explore.js';
import { policyOf, type SmallCase, smallCase } from './small.js';

const TWO_ROLES: SmallCase = {
  rules: [
    { roles: 1, quorum: 'all' },
    { roles: 2, quorum: 'all' },
  ],
  members: [1, 2],
  author: -1,
  excludeAuthor: true,
  floor: 2,
};
const ROUNDS = 20;

/** `ann` signs what stays the same once, `ben` asks for changes again and again. */
export function walkToTheEnd(seed: number, total: Explored): number {
  const draft = (number: number) => ({
    sha256: `${seed % 10}${number}`.padStart(64, '0'),
    diff: null,
    parts: { 0: { '/body': 'b'.repeat(64) }, 1: { '/body': `${number}` } },
  });
  const start = {
    ...smallCase(TWO_ROLES),
    policies: [policyOf(TWO_ROLES, 'reconfirm_changed', ['/body'])],
    drafts: [draft(0)],
  };
  let pair: Pair = begin(start);
  for (const activation of ['root/d0', 'root/d1']) {
    let rounds = 0;
    for (let exhausted = false; !exhausted; rounds++) {
      const round = (pair.world.gates[0]?.rounds.length ?? 0) - 1;
      const tried = (task: number, identity: string, outcome: string) => {
        const target = { gate: 0, round, task };
        const attempt = {
          target,
          identity,
          assurance: 'authenticated',
          isUnauthenticated: false,
          outcome,
          comment: outcome,
        } as const;
        const next = step(start, pair, { kind: 'attempt', attempt });
        pair = next.pair;
        count(total, next.outcome);
        total.attempts += 1;
      };
      tried(0, 'ann', 'approve');
      tried(1, 'ben', 'changes_requested');
      total.states += 1;
      const next = step(start, pair, { kind: 'round', gate: 0, activation, draft: draft(round + 1) });
      exhausted = next.outcome === 'exhausted';
      pair = next.pair;
    }
    if (rounds !== ROUNDS)
      throw new Difference(`the gate gives up after ${rounds} rounds, not ${ROUNDS}`, start, pair.trail);
    pair = step(start, pair, { kind: 'round', gate: 0, activation: 'root/d1', draft: draft(100) }).pair;
  }
  return 1;
}
