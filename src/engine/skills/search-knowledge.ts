import { resultsOf } from '../../compile/link/knowledge.js';
import type { KnowledgeBase } from '../../domain/knowledge.js';
import { rankPassages } from '../../govern/knowledge/rank.js';
import { knowledgeWords, MAX_QUESTION_WORDS } from '../../govern/knowledge/words.js';
import type { RunServices } from '../services.js';
import { failedEnd } from '../step-ends.js';
import type { StepEnd } from '../step-types.js';
import type { SkillCall } from './skill-call.js';
import type { ToolValue } from './tool-result.js';

/** Passages that an index is asked for; the ranking takes the best of them. */
const LOOKED_AT = 24;

/**
 * `search-<id>`: the passages of the frozen index that fit a question best. What was found is the
 * recorded result of the step, so a resume reads the same; a step that has no result yet searches
 * the same bytes, wherever it runs. Nothing that fits is an empty list.
 */
export async function searchKnowledge(
  services: RunServices,
  of: { readonly call: SkillCall; readonly base: KnowledgeBase },
): Promise<StepEnd<ToolValue>> {
  const { base, call } = of;
  const index = services.snapshot.knowledge?.find(({ id }) => id === base.id)?.index;
  const query = String(call.input.query ?? '');
  const ask = { words: knowledgeWords(query, MAX_QUESTION_WORDS), limit: LOOKED_AT };
  const hits = index === undefined ? null : ((await services.knowledge?.find(index, ask)) ?? null);
  if (hits === null)
    return failedEnd(
      'index_missing',
      `the index of the knowledge base ${base.id} that the run was submitted with is not in the store any more`,
    );
  const results = rankPassages(hits, { query, limit: resultsOf(call.input.limit) });
  return {
    outcome: { status: 'ok', value: { output: results.map((result) => ({ ...result, lines: [...result.lines] })) } },
  };
}
