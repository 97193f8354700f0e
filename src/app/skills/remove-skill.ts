import { KitError } from '../../domain/errors.js';
import { findFile, readArtifactFiles } from '../editing/artifact-files.js';
import type { CommitDeps } from '../editing/commit.js';
import { editPlace } from '../editing/edit-place.js';
import { newFaults } from '../editing/judge.js';
import { overlayFiles } from '../editing/overlay-files.js';
import { placeOf } from '../editing/refusals.js';
import { takeOver } from '../editing/take-over.js';
import { openWorkspaceFiles, readSources } from '../workspace-files.js';
import { holdersOf } from './held-by.js';
import { skillUnknown } from './refusals.js';

const held = (id: string, holders: readonly string[]): KitError =>
  new KitError('KIT_SKILL_HELD', `the skill ${id} is held by ${holders.join(', ')}`, { data: { holders } });

/** See `SkillsApp.remove`. */
export async function removeSkill(
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
