import { objectAt, textAt } from '../../compile/read.js';
import { readArtifactFiles } from '../editing/artifact-files.js';
import type { WorkspaceDeps } from '../load-workspace.js';
import { openWorkspaceFiles, readSources, type WorkspaceFiles } from '../workspace-files.js';
import type { Catalogue } from './catalogue/read-catalogue.js';
import { searchSkills } from './catalogue/search.js';
import { holdersOf } from './held-by.js';
import type { CatalogueReport, SkillRow } from './skills-app.js';

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
