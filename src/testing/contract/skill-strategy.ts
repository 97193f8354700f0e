import type { PanelVerdict, SkillStrategy, Vote } from '../../domain/ports/skill-strategy.js';
import { frozen, must, textOf } from './case.js';
import { conformanceOf, createIn, openIn, type Subject } from './common.js';
import { watchEffects } from './effects.js';
import { type ContractFixtures, createWorld } from './world.js';

type Word = PanelVerdict['verdict'];

/** What the suite is told about the contribution. It is always created with {}. */
export interface SkillStrategyFixtures extends Omit<ContractFixtures, 'config'> {
  /** Votes, null for a member that casts none, and what the panel comes to. */
  readonly verdicts?: readonly { readonly votes: readonly (Word | null)[]; readonly verdict: Word }[];
}

type Sub = Subject<'skillStrategies', SkillStrategyFixtures>;

const WORDS: readonly Word[] = ['pass', 'fail', 'needs-revision'];

const votesOf = (words: readonly (Word | null)[]): readonly Vote[] =>
  words.map((verdict, index) =>
    verdict === null
      ? null
      : { skill: `member-${index}`, verdict, confidence: (index + 1) / 10, reasoning: `Reason ${index}.` },
  );

/** Nobody, everybody, and each mixture of three members. */
const PANELS: readonly (readonly (Word | null)[])[] = [
  [],
  [null],
  ...WORDS.map((word) => [word]),
  ...[...WORDS, null].flatMap((one) =>
    [...WORDS, null].flatMap((two) => [...WORDS, null].map((three) => [one, two, three])),
  ),
];

function decided(strategy: SkillStrategy, words: readonly (Word | null)[]): PanelVerdict {
  try {
    return strategy.decide(frozen(votesOf(words)));
  } catch (error) {
    return must(false, `decide threw for ${JSON.stringify(words)}: ${textOf(error)}`) as never;
  }
}

const instanceOf = (subject: Sub): Promise<SkillStrategy> => createIn(subject, createWorld(subject.fixtures));

async function comesToVerdicts(subject: Sub): Promise<null> {
  const strategy = await instanceOf(subject);
  for (const words of PANELS) {
    const said = decided(strategy, words);
    const of = JSON.stringify(words);
    must(
      typeof said === 'object' && said !== null && !('then' in said),
      `decide gave no verdict for ${of}: it answers at once, not with a promise`,
    );
    must(
      WORDS.includes(said.verdict),
      `decide said ${JSON.stringify(said.verdict)} for ${of}, none of ${WORDS.join(', ')}`,
    );
    must(
      typeof said.confidence === 'number' && said.confidence >= 0 && said.confidence <= 1,
      `the confidence for ${of} is ${String(said.confidence)}, not within 0..1`,
    );
    must(typeof said.reasoning === 'string', `the reasoning for ${of} is not text`);
  }
  return null;
}

async function passesNobody(subject: Sub): Promise<null> {
  const strategy = await instanceOf(subject);
  for (const words of [[], [null], [null, null, null]])
    must(decided(strategy, words).verdict !== 'pass', 'a panel of which nobody voted passed');
  return null;
}

async function saysTheSame(subject: Sub): Promise<null> {
  const [one, two] = [await instanceOf(subject), await instanceOf(subject)];
  // In another order the second time: what was decided before must not matter.
  const first = PANELS.map((words) => JSON.stringify(decided(one, words)));
  const second = PANELS.toReversed().map((words) => JSON.stringify(decided(two, words)));
  must(
    first.join() === second.toReversed().join(),
    'decide said something else of the same votes; a replay asks it again',
  );
  return null;
}

/** A replay asks again, at any time and anywhere: nothing but the votes may decide. */
async function decidesAlone(subject: Sub): Promise<null> {
  const { world, instance: strategy } = await openIn(subject);
  const watch = watchEffects();
  try {
    for (const words of PANELS) decided(strategy, words);
    const started = [...(world.requests.length === 0 ? [] : ['a request']), ...watch.seen()];
    must(started.length === 0, `decide started ${started.join(', ')}; it has the votes and nothing else`);
  } finally {
    watch.stop();
  }
  return null;
}

async function settlesByVotes(subject: Sub): Promise<string | null> {
  const strategy = await instanceOf(subject);
  if (strategy.isSettled === undefined) return 'it asks its members side by side';
  for (const words of PANELS) {
    const [one, two] = [0, 1].map(() => strategy.isSettled?.(frozen(votesOf(words))));
    must(typeof one === 'boolean', `isSettled gave ${String(one)}, neither true nor false`);
    must(one === two, 'isSettled said something else of the same votes');
  }
  return null;
}

async function meetsItsFixtures(subject: Sub): Promise<string | null> {
  const { verdicts = [] } = subject.fixtures;
  if (verdicts.length === 0) return 'no `verdicts` were given that it comes to';
  const strategy = await instanceOf(subject);
  for (const { votes, verdict } of verdicts) {
    const said = decided(strategy, votes).verdict;
    must(said === verdict, `it made ${said} of ${JSON.stringify(votes)}, and the fixtures say ${verdict}`);
  }
  return null;
}

/**
 * The contract of `skillStrategies`: what a run relies on when a panel is asked. Cases run one
 * after the other.
 */
export const skillStrategyConformance = conformanceOf<'skillStrategies', SkillStrategyFixtures>('skillStrategies', {
  'comes to one of the three verdicts for any votes, at once': comesToVerdicts,
  'passes nothing that nobody voted for': passesNobody,
  'says the same of the same votes': saysTheSame,
  'decides without a request or a process': decidesAlone,
  'ends asking by the votes alone': settlesByVotes,
  'comes to the verdicts of its fixtures': meetsItsFixtures,
});
