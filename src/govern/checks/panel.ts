import type { SkillStrategy, Vote } from '../../domain/ports/skill-strategy.js';

type Cast = Exclude<Vote, null>;

const castOf = (votes: readonly Vote[]): readonly Cast[] => votes.flatMap((vote) => vote ?? []);

const votesText = (votes: readonly Cast[]): string =>
  votes.map((vote) => `${vote.skill}: ${vote.verdict}. ${vote.reasoning}`.trim()).join('\n');

const mean = (votes: readonly Cast[]): number =>
  votes.length === 0 ? 0 : votes.reduce((sum, vote) => sum + vote.confidence, 0) / votes.length;

/**
 * How many votes were cast, and how many make a panel of this size worth asking: more than half of
 * its members.
 */
export function panelSize(votes: readonly Vote[]): { readonly valid: number; readonly needed: number } {
  return { valid: castOf(votes).length, needed: Math.floor(votes.length / 2) + 1 };
}

/**
 * More than half of the votes cast carry a verdict; anything else is a fail. Confidence: the mean
 * of those who agree.
 */
export const PARALLEL_CONSENSUS: SkillStrategy = {
  decide: (votes) => {
    const cast = castOf(votes);
    const winner = (['pass', 'fail', 'needs-revision'] as const).find(
      (word) => cast.filter((vote) => vote.verdict === word).length > cast.length / 2,
    );
    if (winner === undefined)
      return {
        verdict: 'fail',
        confidence: 0,
        reasoning: cast.length === 0 ? 'Nobody voted.' : `No majority.\n${votesText(cast)}`,
      };
    const agreeing = cast.filter((vote) => vote.verdict === winner);
    return { verdict: winner, confidence: mean(agreeing), reasoning: votesText(cast) };
  },
};

/**
 * One after another, up to the first that does not pass; its verdict is the panel's. A member that
 * casts no vote has passed nothing: it ends the row as a fail.
 */
export const SEQUENTIAL: SkillStrategy = {
  isSettled: (votes) => votes.some((vote) => vote === null || vote.verdict !== 'pass'),
  decide: (votes) => {
    const index = votes.findIndex((vote) => vote === null || vote.verdict !== 'pass');
    const stopped = votes[index];
    const cast = castOf(votes);
    if (index < 0 && cast.length > 0)
      return {
        verdict: 'pass',
        confidence: Math.min(...cast.map((vote) => vote.confidence)),
        reasoning: votesText(cast),
      };
    if (stopped == null)
      return {
        verdict: 'fail',
        confidence: 0,
        reasoning: `Member ${index + 1} of the panel did not answer.\n${votesText(cast)}`.trim(),
      };
    return { verdict: stopped.verdict, confidence: stopped.confidence, reasoning: votesText(cast) };
  },
};

/** The strategies that kit knows itself; null for any other word. */
export function strategyOf(name: string): SkillStrategy | null {
  switch (name) {
    case 'parallel-consensus':
      return PARALLEL_CONSENSUS;
    case 'sequential':
      return SEQUENTIAL;
    default:
      return null;
  }
}
