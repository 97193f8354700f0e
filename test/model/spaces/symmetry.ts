// The argument that saves work is itself checked: a case with permuted people, roles and rules has
// as many states, attempts and outcomes.
import { randomFrom } from '../../support/crash-share.js';
import { below, oneOf } from '../../support/fuzz-mutations.js';
import { Difference } from '../drive/case.js';
import { type Explored, nothingExplored } from './explore.js';
import { allSmallCases, isRepresentative, RULES, representative, type SmallCase, smallCase } from './small.js';
import { walkOneRound } from './walks.js';

const groupOf = (small: SmallCase): string =>
  `${representative(small)} ${small.floor} ${small.excludeAuthor} ${small.rules.length}`;

const figures = ({ states, attempts, approved, outcomes }: Explored): string =>
  `${states} states, ${attempts} attempts, ${approved ? '' : 'not '}approved, ${JSON.stringify([...outcomes].sort())}`;

function explored(small: SmallCase, total: Explored): Explored {
  const own = nothingExplored();
  walkOneRound(small, own);
  total.states += own.states;
  total.attempts += own.attempts;
  return own;
}

/** Explores `count` cases that are not representatives, and the one that stands for each. */
export function sampleSymmetry(seed: number, count: number, total: Explored): number {
  const random = randomFrom(seed);
  const stand = new Map<string, SmallCase>();
  for (const small of allSmallCases()) if (isRepresentative(small)) stand.set(groupOf(small), small);
  for (let cases = 0; cases < count; cases++) {
    const rules = Array.from({ length: 1 + below(random, 2) }, () => oneOf(random, RULES));
    const members = [below(random, 8), below(random, 8)] as const;
    const small: SmallCase = {
      rules,
      members,
      author: below(random, 4) - 1,
      excludeAuthor: random() < 0.5,
      floor: oneOf(random, [null, 1, 2, 3]),
    };
    const other = stand.get(groupOf(small));
    if (other === undefined) throw new Error(`nothing stands for ${JSON.stringify(small)}`);
    const [is, ought] = [figures(explored(small, total)), figures(explored(other, total))];
    if (is !== ought) throw new Difference(`${is}; the case that stands for it has ${ought}`, smallCase(small), null);
  }
  return count;
}
