import type { AbstractSkillEntry, SkillEntry } from '../../domain/generated/artifacts.js';
import type { LinkedSkill } from '../../domain/linked-skill.js';
import type { Registries } from './registries.js';

/** What one entry of a `skills` list grants, or why it grants nothing. */
export type EntryResult =
  | { readonly ok: true; readonly ids: readonly string[] }
  | {
      readonly ok: false;
      readonly why: 'unknown' | 'no-match' | 'ambiguous';
      readonly word: string;
      readonly candidates: readonly string[];
    };

export interface EntryScope {
  readonly registries: Registries;
  /** All linked skills, synthetic ones included. */
  readonly skills: ReadonlyMap<string, LinkedSkill>;
  /**
   * Topology that is being linked: `pack:workspace` never grants a topology to itself. Null outside
   * a topology.
   */
  readonly topology: string | null;
}

const PACK = 'pack:';
const SERVER = 'server:';

function isKnownPack(scope: EntryScope, pack: string): boolean {
  return (scope.registries.config.value.command_packs ?? []).some(({ id }) => id === pack);
}

/** Read commands only: a command that writes is granted by its own id. */
function packGrant(scope: EntryScope, pack: string): EntryResult {
  if (pack === 'workspace') {
    const names = new Set([...scope.registries.topologies.values()].map(({ value }) => value.metadata.name));
    return { ok: true, ids: [...names].filter((name) => name !== scope.topology).map((name) => `topology-${name}`) };
  }
  if (!isKnownPack(scope, pack)) return { ok: false, why: 'unknown', word: `${PACK}${pack}`, candidates: [] };
  const granted = [...scope.skills.values()].filter(
    (skill) =>
      skill.implementation.type === 'command' && skill.implementation.pack === pack && skill.effects === 'read',
  );
  return { ok: true, ids: granted.map((skill) => skill.id) };
}

function serverGrant(scope: EntryScope, server: string): EntryResult {
  const isKnown = (scope.registries.config.value.mcp_servers ?? []).some(({ id }) => id === server);
  if (!isKnown) return { ok: false, why: 'unknown', word: `${SERVER}${server}`, candidates: [] };
  const granted = [...scope.skills.values()].filter(
    (skill) => skill.implementation.type === 'mcp_tool' && skill.implementation.server === server,
  );
  return { ok: true, ids: granted.map((skill) => skill.id) };
}

/**
 * Exactly one skill file of the category whose id contains the capability
 * (docs/design/workspace.md#skill-entries).
 */
function bindAbstract(scope: EntryScope, wanted: AbstractSkillEntry['abstract']): EntryResult {
  const { category, capability = '' } = wanted;
  const word = capability === '' ? category : `${category}/${capability}`;
  const candidates = [...scope.registries.skills]
    .filter(([id, artifact]) => artifact.value.category === category && id.includes(capability))
    .map(([id]) => id)
    .toSorted();
  const [only, ...others] = candidates;
  if (only === undefined) return { ok: false, why: 'no-match', word, candidates };
  return others.length === 0 ? { ok: true, ids: [only] } : { ok: false, why: 'ambiguous', word, candidates };
}

const isKnownSkill = (scope: EntryScope, id: string): boolean =>
  scope.skills.has(id) || scope.registries.skills.has(id);

/** Resolves one entry: a skill id, `pack:<id>`, `server:<id>`, or an abstract placeholder. */
export function resolveEntry(scope: EntryScope, entry: SkillEntry): EntryResult {
  if (typeof entry === 'object') return bindAbstract(scope, entry.abstract);
  if (entry.startsWith(PACK)) return packGrant(scope, entry.slice(PACK.length));
  if (entry.startsWith(SERVER)) return serverGrant(scope, entry.slice(SERVER.length));
  return isKnownSkill(scope, entry)
    ? { ok: true, ids: [entry] }
    : { ok: false, why: 'unknown', word: entry, candidates: [] };
}
