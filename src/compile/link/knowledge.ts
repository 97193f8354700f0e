import type { Topology } from '../../domain/generated/artifacts.js';
import type { JsonSchema } from '../../domain/json.js';
import type { KnowledgeBase } from '../../domain/knowledge.js';
import type { LinkedSkill } from '../../domain/linked-skill.js';
import { withoutTrailingSlashes } from '../../lib/show-url.js';
import { SEARCH_FIELDS, searchTool } from '../../prompts/tools.js';
import type { Checked } from './registries.js';
import { skillAudit } from './skill-audit.js';

/** The skill that a knowledge base gives to its workspace. */
export const knowledgeSkillId = (base: string): string => `search-${base}`;

/** Results of one search unless the caller says otherwise, and at most. */
const DEFAULT_RESULTS = 5;
const MAX_RESULTS = 20;
/** A question is a sentence or a few; a pasted document is none. */
const MAX_QUERY_CHARS = 2_000;

/** `artifacts.knowledge_bases` of a topology. */
export const linkKnowledgeBases = ({ artifacts }: Topology): readonly KnowledgeBase[] =>
  (artifacts?.knowledge_bases ?? []).map(({ id, path = '', include = [], storage = null }) => ({
    id,
    path: cleanPath(path),
    include,
    storage,
  }));

/** `./docs/` and `docs` are one place; `.` is the whole workspace. */
function cleanPath(path: string): string {
  const cleaned = withoutTrailingSlashes(path.replace(/^(\.\/+)+/, ''));
  return cleaned === '' && path !== '' && !path.startsWith('/') ? '.' : cleaned === '' ? path : cleaned;
}

/** Whether two entries with one id stand for the same documents in the same place. */
export const isSameBase = (a: KnowledgeBase, b: KnowledgeBase): boolean =>
  a.path === b.path && a.storage === b.storage && JSON.stringify(a.include) === JSON.stringify(b.include);

/**
 * The bases of the workspace by id: the first of each, wherever it stands; a rule reports those
 * that differ.
 */
export function knowledgeBases(
  topologies: Iterable<Pick<Checked<'Topology'>, 'value'>>,
): ReadonlyMap<string, KnowledgeBase> {
  const bases = new Map<string, KnowledgeBase>();
  for (const { value } of topologies)
    for (const base of linkKnowledgeBases(value)) if (base.path !== '' && !bases.has(base.id)) bases.set(base.id, base);
  return bases;
}

const INPUTS: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['query'],
  properties: {
    query: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_QUERY_CHARS,
      description: SEARCH_FIELDS.query,
    },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_RESULTS,
      default: DEFAULT_RESULTS,
      description: SEARCH_FIELDS.limit,
    },
  },
};

/** The results of a call without `limit`. */
export const resultsOf = (limit: unknown): number =>
  typeof limit === 'number' ? Math.min(limit, MAX_RESULTS) : DEFAULT_RESULTS;

/** The skill `search-<id>` of a base: it reads, so it needs no scope of its own. */
export const knowledgeSkill = (base: KnowledgeBase): LinkedSkill => ({
  id: knowledgeSkillId(base.id),
  description: searchTool(base.id),
  category: 'capability',
  inputs: INPUTS,
  outputs: null,
  requiredScopes: [],
  effects: 'read',
  onInDoubt: 'repeat',
  audit: skillAudit('capability'),
  implementation: { type: 'knowledge', base },
});
