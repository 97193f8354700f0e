import { objectAt, textAt } from '../../compile/read.js';
import { readArtifactFiles } from '../editing/artifact-files.js';
import type { WorkspaceDeps } from '../load-workspace.js';
import { openWorkspaceFiles, readSources, type WorkspaceFiles } from '../workspace-files.js';
import type { CatalogueSkill } from './catalogue/bundle.js';
import type { Catalogue } from './catalogue/read-catalogue.js';
import { holdersOf } from './held-by.js';
import type { CatalogueReport, SkillRow } from './skills-app.js';

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
function searchSkills<T extends Pick<CatalogueSkill, 'id' | 'name' | 'bundle' | 'description'>>(
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

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);

interface Described extends Omit<SkillRow, 'heldBy'> {
  readonly description: string;
  readonly bundle: string;
}

async function described(place: WorkspaceFiles): Promise<readonly Described[]> {
  const files = await readArtifactFiles(place, 'skills');
  return files.map(({ name: id, path, value }) => {
    const metadata = objectAt(value, 'metadata');
    const implementation = objectAt(value, 'implementation');
    return {
      id,
      path,
      name: textAt(metadata, 'name') ?? id,
      description: textAt(metadata, 'description') ?? '',
      category: textAt(value, 'category') ?? '',
      backing: textAt(implementation, 'type') ?? '',
      server: textAt(implementation, 'server'),
      bundle: '',
    };
  });
}

/** See `SkillsApp.list`. */
export async function listSkills(
  workspace: string,
  { files }: Pick<WorkspaceDeps, 'files'>,
): Promise<readonly SkillRow[]> {
  const place = await openWorkspaceFiles(workspace, files);
  const [rows, sources] = await Promise.all([described(place), readSources(place, () => true)]);
  const holders = holdersOf(sources);
  return rows
    .map(({ description: _description, bundle: _bundle, ...row }) => ({ ...row, heldBy: holders.get(row.id) ?? [] }))
    .toSorted(byId);
}

/** See `SkillsApp.catalogue`. */
export async function reportCatalogue(
  workspace: string | null,
  query: string,
  { source, bundles, broken }: Catalogue,
  { files }: Pick<WorkspaceDeps, 'files'>,
): Promise<CatalogueReport> {
  const rows = workspace === null ? [] : await described(await openWorkspaceFiles(workspace, files));
  const installed = new Set(rows.map(({ id }) => id));
  const skills = searchSkills(
    bundles.flatMap((bundle) => bundle.skills),
    query,
  ).map(({ text: _text, ...skill }) => ({ ...skill, isInstalled: installed.has(skill.id) }));
  const found = new Set(skills.map(({ bundle }) => bundle));
  return {
    source,
    bundles: bundles
      .filter(({ id }) => query.trim() === '' || found.has(id))
      .map(({ id, name, description, skills: own, verification, requiresRuntime, needs }) => ({
        id,
        name,
        description,
        skills: own.map((skill) => skill.id),
        verification,
        requiresRuntime,
        needs,
      })),
    skills,
    broken,
    workspace: query.trim() === '' ? [] : searchSkills(rows, query).map(({ id }) => id),
  };
}
