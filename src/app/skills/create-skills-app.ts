import { KitError } from '../../domain/errors.js';
import { findFile, readArtifactFiles } from '../editing/artifact-files.js';
import type { CommitDeps } from '../editing/commit.js';
import type { Alone } from '../editing/create-editing-app.js';
import { editPlace } from '../editing/edit-place.js';
import { newFaults } from '../editing/judge.js';
import { overlayFiles } from '../editing/overlay-files.js';
import { placeOf } from '../editing/refusals.js';
import { takeOver } from '../editing/take-over.js';
import { openWorkspaceFiles, readSources } from '../workspace-files.js';
import { skillPath } from './catalogue/bundle.js';
import { type Catalogue, readCatalogue } from './catalogue/read-catalogue.js';
import { openCatalogue, type SourceDeps } from './catalogue/sources.js';
import { writePrepared } from './change-set.js';
import { type CheckDeps, checkSkills } from './check-skills.js';
import { holdersOf } from './held-by.js';
import { listSkills, reportCatalogue } from './list-skills.js';
import { assertAgreed, type PlanDeps, planAdd } from './plan-add.js';
import { planImport } from './plan-import.js';
import { skillUnknown } from './refusals.js';
import type { SkillsApp } from './skills-app.js';

const held = (id: string, holders: readonly string[]): KitError =>
  new KitError('KIT_SKILL_HELD', `the skill ${id} is held by ${holders.join(', ')}`, { data: { holders } });

/** See `SkillsApp.remove`. */
async function removeSkill(
  { workspace: directory, id }: { readonly workspace: string; readonly id: string },
  deps: CommitDeps,
): Promise<{ readonly path: string; readonly reloaded: boolean }> {
  const workspace = await openWorkspaceFiles(directory, deps.compile.files);
  const files = await readArtifactFiles(workspace, 'skills');
  const found = findFile(files, id);
  if (found === undefined)
    throw skillUnknown(
      `the workspace has no skill \`${id.slice(0, 80)}\``,
      id,
      files.map(({ name }) => name),
    );
  const holders = holdersOf(await readSources(workspace, () => true)).get(id) ?? [];
  if (holders.length > 0) throw held(id, holders);
  const place = await editPlace(workspace, 'skills', found.path);
  // Whoever names it in another way misses it.
  const faults = await newFaults(workspace.root, deps.compile, overlayFiles(deps.compile.files, place.asked, null));
  if (faults.length > 0) throw held(id, [...new Set(faults.map(placeOf))]);
  await deps.edits.remove(place.asked);
  return { path: found.path, reloaded: await takeOver(workspace.root, deps) };
}

export interface SkillsDeps extends CommitDeps {
  readonly alone: Alone;
  /** Where catalogues lie, as seen from a workspace, or from nowhere. */
  readonly sources: (workspace: string | null) => SourceDeps;
  /** The loaded workspace, and what opens its servers; closed afterwards. */
  readonly openCheck: (workspace: string) => Promise<CheckDeps & { readonly close: () => Promise<void> }>;
}

async function catalogueOf(refresh: boolean, deps: SourceDeps): Promise<Catalogue> {
  const { files, keep } = await openCatalogue(refresh, deps);
  const catalogue = await readCatalogue(files);
  await keep();
  return catalogue;
}

async function showSkill(
  { workspace, id, refresh }: Parameters<SkillsApp['show']>[0],
  deps: SkillsDeps,
): ReturnType<SkillsApp['show']> {
  const own = workspace === null ? NOTHING_OWN : await ownSkill(workspace, id, deps);
  if (own.found !== null) return { source: 'workspace', ...own.found };
  const { source, bundles } = await catalogueOf(refresh, deps.sources(workspace));
  const offered = bundles.flatMap(({ skills }) => skills);
  const found = offered.find((skill) => skill.id === id);
  if (found !== undefined) return { source, path: skillPath(found.bundle, id), text: found.text };
  const known = [...own.names, ...offered.map((skill) => skill.id)];
  const who =
    workspace === null ? `the catalogue ${source} has no` : `neither the workspace nor the catalogue ${source} has a`;
  throw skillUnknown(`${who} skill \`${id.slice(0, 80)}\``, id, known);
}

interface Own {
  readonly names: readonly string[];
  readonly found: { readonly path: string; readonly text: string } | null;
}

const NOTHING_OWN: Own = { names: [], found: null };

async function ownSkill(workspace: string, id: string, deps: SkillsDeps): Promise<Own> {
  const place = await openWorkspaceFiles(workspace, deps.compile.files);
  const files = await readArtifactFiles(place, 'skills');
  const file = findFile(files, id);
  const text = file === undefined ? null : await place.files.readText(`${place.root}/${file.path}`);
  return {
    names: files.map(({ name }) => name),
    found: file === undefined || text === null ? null : { path: file.path, text },
  };
}

/** See `SkillsApp`. */
export function createSkillsApp(deps: SkillsDeps): SkillsApp {
  const planning = (workspace: string): PlanDeps => {
    const sources = deps.sources(workspace);
    return {
      compile: deps.compile,
      fetchText: sources.fetchText,
      catalogue: (refresh) => catalogueOf(refresh, sources),
    };
  };
  return {
    list: ({ workspace }) => listSkills(workspace, deps.compile),
    catalogue: async ({ workspace, query, refresh }) =>
      reportCatalogue(workspace, query, await catalogueOf(refresh, deps.sources(workspace)), deps.compile),
    show: (ask) => showSkill(ask, deps),
    planAdd: async (ask) => (await planAdd(ask, planning(ask.workspace))).plan,
    add: (ask) =>
      deps.alone(ask.workspace, async () => {
        const { plan, prepared } = await planAdd(ask, planning(ask.workspace));
        assertAgreed(plan, ask.digest);
        return { plan, applied: await writePrepared(prepared, deps) };
      }),
    planImport: async (ask) => (await planImport(ask, planning(ask.workspace))).plan,
    import: (ask) =>
      deps.alone(ask.workspace, async () => {
        const { plan, prepared } = await planImport(ask, planning(ask.workspace));
        return { plan, applied: await writePrepared(prepared, deps) };
      }),
    check: async ({ workspace, start }) => {
      const { close, ...opened } = await deps.openCheck(workspace);
      try {
        return await checkSkills(opened, start);
      } finally {
        await close();
      }
    },
    remove: (ask) => deps.alone(ask.workspace, () => removeSkill(ask, deps)),
  };
}
