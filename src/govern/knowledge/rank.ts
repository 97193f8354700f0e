import type { KnowledgeResult } from '../../domain/knowledge.js';
import type { KnowledgeHit } from '../../domain/ports/knowledge.js';
import { embedText } from '../../lib/ngram-embedding.js';
import { wordingScore } from '../../lib/wording-score.js';
import { knowledgeWords, MAX_QUESTION_WORDS } from './words.js';

/**
 * Orders what an index found, best first; equal ones by file and line. A heading counts as text of
 * what stands below it.
 */
export function rankPassages(
  hits: readonly KnowledgeHit[],
  ask: { readonly query: string; readonly limit: number },
): readonly KnowledgeResult[] {
  const words = knowledgeWords(ask.query, MAX_QUESTION_WORDS);
  const question = embedText(words.join(' '));
  return hits
    .map(({ file, passage, match }) => {
      const held = passageWords(passage);
      return {
        file,
        ...passage,
        score: Math.round(100 * wordingScore({ asked: words.length, question, match, words: held })) / 100,
      };
    })
    .sort((a, b) => b.score - a.score || (a.file === b.file ? a.lines[0] - b.lines[0] : a.file < b.file ? -1 : 1))
    .slice(0, ask.limit)
    .map(({ file, heading, lines, text, score }) => ({ file, heading, lines, text, score }));
}

/** What a passage is found by. */
export const passageWords = ({
  heading,
  text,
}: {
  readonly heading: string | null;
  readonly text: string;
}): readonly string[] => knowledgeWords(`${heading ?? ''} ${text}`);
