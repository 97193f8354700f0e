import type { Json } from '../../domain/json.js';
import type { EvalSubject } from '../../domain/ports/eval-check.js';
import { frozen, must, resultOf, settled, textOf } from './case.js';
import { conformanceOf, openIn, type Subject } from './common.js';
import type { ContractFixtures } from './world.js';

/** An expectation as a set writes it, and what a run answered. */
export interface EvalCheckCase {
  readonly expected: Json;
  readonly output: string | null;
  readonly usedSkills?: readonly string[];
}

/** What the suite is told about the contribution. */
export interface EvalCheckFixtures extends ContractFixtures {
  /** An answer that meets an expectation. */
  readonly holds?: EvalCheckCase;
  /** One that does not. */
  readonly fails?: EvalCheckCase;
}

type Sub = Subject<'evalChecks', EvalCheckFixtures>;

const subjectOf = ({ output, usedSkills = [] }: EvalCheckCase): EvalSubject => ({
  input: 'Go.',
  output,
  status: 'completed',
  usedSkills,
});

async function check(subject: Sub, asked: EvalCheckCase): Promise<string | null> {
  const { world, instance } = await openIn(subject);
  return resultOf(() => instance.check(frozen(asked.expected), frozen(subjectOf(asked))), world.deadlineMs, 'check');
}

async function accepts(subject: Sub): Promise<string | null> {
  const { holds } = subject.fixtures;
  if (holds === undefined) return 'the fixtures hold no `holds`';
  const said = await check(subject, holds);
  must(said === null, `it refused what the fixtures say holds: ${String(said)}`);
  must((await check(subject, holds)) === null, 'it said something else about the same answer the second time');
  return null;
}

async function refuses(subject: Sub): Promise<string | null> {
  const { fails } = subject.fixtures;
  if (fails === undefined) return 'the fixtures hold no `fails`';
  const said = await check(subject, fails);
  must(typeof said === 'string' && said.trim() !== '', `a failed check is one sentence, not ${JSON.stringify(said)}`);
  must(!said.includes('\n'), 'a failed check is one sentence on one line');
  return null;
}

/**
 * A set is written by people, and a run may answer nothing: an expectation of another shape is
 * refused, never met.
 */
async function meetsNothing(subject: Sub): Promise<string | null> {
  const { world, instance } = await openIn(subject);
  const asked: EvalCheckCase = { expected: { unknown: [null] }, output: null };
  const outcome = await settled(
    async () => instance.check(asked.expected, frozen(subjectOf(asked))),
    world.deadlineMs,
    'check',
  );
  if (outcome.how === 'error') {
    world.mustHideSecrets({ 'its error': textOf(outcome.error) });
    return null;
  }
  must(typeof outcome.value === 'string', 'it met an expectation that it cannot know');
  return null;
}

/** The contract of `evalChecks`: what `kit eval` relies on. Cases run one after the other. */
export const evalCheckConformance = conformanceOf<'evalChecks', EvalCheckFixtures>('evalChecks', {
  'accepts what meets an expectation, each time': accepts,
  'says in one sentence what does not': refuses,
  'meets no expectation that it does not understand': meetsNothing,
});
