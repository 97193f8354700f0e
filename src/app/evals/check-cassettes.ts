import { KitError } from '../../domain/errors.js';
import type { EvalSet } from '../../domain/generated/artifacts.js';
import type { Files } from '../../domain/ports/system.js';
import { shellWord } from '../../lib/shell-word.js';
import type { EvalAsk } from './eval-app.js';

/** Name of the cassette of one run of a case, in the directory of its set. */
export const cassetteName = (setId: string, caseId: string, part: 'case' | 'judge'): string =>
  `${encodeURIComponent(setId)}.${encodeURIComponent(caseId)}.${part}.cassette`;

/**
 * A directory that cannot serve is not a verdict about any case: it is refused before one begins,
 * and leaves no report that a later one is compared with. Throws KIT_USAGE for a recording over
 * another one, and for a replay of a set of which nothing was recorded.
 */
export async function checkCassettes(
  files: Pick<Files, 'list'>,
  ask: EvalAsk,
  sets: readonly EvalSet[],
): Promise<void> {
  const { cassettes } = ask;
  if (cassettes === null) return;
  const { kind, directory } = cassettes;
  const there = new Set(((await files.list(directory)) ?? []).map(({ name }) => name));
  for (const { metadata, cases } of sets) {
    const recorded = cases.some(({ id }) => there.has(cassetteName(metadata.id, id, 'case')));
    if (recorded && kind === 'record')
      throw new KitError('KIT_USAGE', `${directory} holds a recording of the eval set ${metadata.id} already`, {
        hint: 'Name another directory, or remove this one: a recording is never written over.',
      });
    if (!recorded && kind === 'replay')
      throw new KitError('KIT_USAGE', `${directory} holds no recording of the eval set ${metadata.id}`, {
        hint: `Record one: kit eval ${shellWord(metadata.id)} --record DIR`,
      });
  }
}
