import type { CatalogueSkill } from './bundle.js';

const NAMED = 3;
const DESCRIBED = 1;

/** What one word is worth; 0 = it is nowhere. */
function scoreOf(
  word: string,
  { id, name, bundle, description }: Pick<CatalogueSkill, 'id' | 'name' | 'bundle' | 'description'>,
): number {
  if (`${id} ${name} ${bundle}`.toLowerCase().includes(word)) return NAMED;
  return description.toLowerCase().includes(word) ? DESCRIBED : 0;
}

/**
 * Skills in which every word of the question occurs, best first, ties by id. A word in id, name or
 * bundle counts more than one in the description. No word: all of them, by id.
 */
export function searchSkills<T extends Pick<CatalogueSkill, 'id' | 'name' | 'bundle' | 'description'>>(
  skills: readonly T[],
  query: string,
): readonly T[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return skills
    .map((skill) => ({ skill, scores: words.map((word) => scoreOf(word, skill)) }))
    .filter(({ scores }) => scores.every((score) => score > 0))
    .map(({ skill, scores }) => ({ skill, score: scores.reduce((sum, score) => sum + score, 0) }))
    .toSorted((a, b) => b.score - a.score || (a.skill.id < b.skill.id ? -1 : 1))
    .map(({ skill }) => skill);
}
