import { join } from 'node:path';
import { canonicalJson } from '../../lib/canonical-json.js';
import { sha256Hex } from '../../lib/sha256.js';
import { TAKEN_SKILLS } from '../editing/artifact-files.js';
import { candidateText } from '../editing/candidate.js';
import type { CommitDeps } from '../editing/commit.js';
import { commitFiles, type PlannedFile } from '../editing/commit-files.js';
import { readCurrent } from '../editing/current-file.js';
import { editPlace } from '../editing/edit-place.js';
import { newFaults } from '../editing/judge.js';
import { overlayFiles } from '../editing/overlay-files.js';
import { takeOver } from '../editing/take-over.js';
import { entryOf, openConfig, withEntry } from '../editing/workspace-config.js';
import { openWorkspaceFiles, type WorkspaceFiles } from '../workspace-files.js';
import { skillRefused } from './refusals.js';
import type { AppliedSkills, ConfigEntry, SkillFile } from './skills-app.js';

/** Files and entries that belong together. */
export interface ChangeSet {
  readonly files: readonly SkillFile[];
  /** Server and credentials; a credential that is there already stays. */
  readonly entries: readonly ConfigEntry[];
  /** Files that change in another way; default none. */
  readonly edited?: readonly PlannedFile[];
}

/** A change set with the files that it is written as. */
export interface Prepared {
  readonly workspace: WorkspaceFiles;
  readonly planned: readonly PlannedFile[];
  /** The file of the workspace is among them, and says something else. */
  readonly changesConfig: boolean;
}

/** What identifies a change, whatever the workspace holds. */
export const digestOf = ({ files, entries }: ChangeSet): string =>
  sha256Hex(
    canonicalJson({
      files: files.map(({ path, text }) => ({ path, text })),
      entries: entries.map(({ section, id, value }) => ({ section, id, value })),
    }),
  );

/** `new`, `same` or `differs`, as the workspace stands. */
export async function stateOfEntry(
  directory: string,
  entry: Omit<ConfigEntry, 'state'>,
  deps: Pick<CommitDeps, 'compile'>,
): Promise<ConfigEntry> {
  const { value } = await openConfig(directory, deps);
  const there = entryOf(value, entry.section, entry.id);
  const state = there === null ? 'new' : canonicalJson(there) === canonicalJson(entry.value) ? 'same' : 'differs';
  return { ...entry, state };
}

/** The file of a skill or a document as it would be written. */
export async function stateOfFile(place: WorkspaceFiles, path: string, text: string): Promise<SkillFile> {
  const current = await readCurrent(place.files, join(place.root, path));
  return { path, text, state: current === null ? 'new' : current.text === text ? 'same' : 'differs' };
}

/**
 * Compiles the workspace with the change in it. Throws KIT_SKILL_REFUSED for what would not be
 * valid; problems that the workspace had before are not in the way.
 */
export async function prepare(
  directory: string,
  { files, entries, edited = [] }: ChangeSet,
  deps: Pick<CommitDeps, 'compile'>,
): Promise<Prepared> {
  const taken = files.map(({ path }) => path).find((path) => TAKEN_SKILLS.some((id) => path === `skills/${id}.yaml`));
  if (taken !== undefined) throw skillRefused(`${taken} would be a skill whose id is a path of the HTTP interface`);
  const workspace = await openWorkspaceFiles(directory, deps.compile.files);
  const planned: PlannedFile[] = [...edited];
  for (const { path, text } of files) {
    const place = await editPlace(workspace, path.split('/')[0] ?? '', path);
    planned.push({ place, before: await readCurrent(workspace.files, place.asked), text });
  }
  const wanted = entries.filter(
    ({ section, state }) => state === 'new' || (section === 'mcp_servers' && state !== 'same'),
  );
  if (wanted.length > 0) {
    const { target, value } = await openConfig(directory, deps);
    const content = wanted.reduce((all, { section, id, value: entry }) => withEntry(all, section, id, entry), value);
    const text = candidateText({ kind: 'content', content }, target.place.path, target.before);
    planned.push({ place: target.place, before: target.before, text });
  }
  const after = planned.reduce((all, { place, text }) => overlayFiles(all, place.asked, text), deps.compile.files);
  // Skills are shared: one may wait for its server, and the plan says so.
  const found = await newFaults(workspace.root, deps.compile, after);
  const faults = found.filter(({ code }) => code !== 'skill.unknown-server');
  if (faults.length > 0) throw skillRefused('the workspace would not be valid with it', faults);
  return { workspace, planned, changesConfig: wanted.length > 0 };
}

/** Writes all of it or nothing, and lets the server take it over. */
export async function writePrepared(
  { workspace, planned, changesConfig }: Prepared,
  deps: CommitDeps,
): Promise<AppliedSkills> {
  const changed = planned.filter(({ before, text }) => before?.text !== text);
  await commitFiles(workspace, planned, { files: deps.compile.files, edits: deps.edits });
  return {
    files: changed.map(({ place }) => place.path).filter((path) => path.includes('/')),
    server: changesConfig,
    reloaded: changed.length > 0 && (await takeOver(workspace.root, deps)),
  };
}
