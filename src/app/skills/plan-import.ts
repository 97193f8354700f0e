import { basename, dirname, isAbsolute, join } from 'node:path';
import { objectAt, objectsAt, textAt } from '../../compile/read.js';
import { findFile, readArtifactFiles } from '../editing/artifact-files.js';
import type { CommitDeps } from '../editing/commit.js';
import type { PlannedFile } from '../editing/commit-files.js';
import { readCurrent } from '../editing/current-file.js';
import { changeFile } from '../scaffold/change-file.js';
import { openWorkspaceFiles, type WorkspaceFiles } from '../workspace-files.js';
import { digestOf, type Prepared, prepare, stateOfFile } from './change-set.js';
import { type PlanDeps, textAtPlace } from './plan-add.js';
import { skillRefused } from './refusals.js';
import { readSkillFolder, type SkillFolder } from './skill-folder.js';
import { convertSkillMd } from './skill-md.js';
import type { ImportPlan, ImportSkill, ImportSource } from './skills-app.js';

type ImportDeps = Pick<PlanDeps, 'compile' | 'fetchText'> & Pick<CommitDeps, 'compile'>;

/** The text of a SKILL.md and what lies beside it. */
interface Found {
  readonly text: string;
  readonly origin: string;
  readonly folder: SkillFolder;
}

const NOTHING: SkillFolder = { documents: [], leftOut: [] };

async function find(source: ImportSource, deps: ImportDeps): Promise<Found> {
  if (source.kind === 'text') return { ...source, folder: NOTHING };
  const { place, cwd } = source;
  if (/^https?:\/\//i.test(place))
    return { text: await textAtPlace(place, cwd, deps), origin: place.replace(/[?#].*$/, ''), folder: NOTHING };
  const { files } = deps.compile;
  const full = isAbsolute(place) ? place : join(cwd, place);
  const isFolder = (await files.list(full)) !== null;
  const file = isFolder ? join(full, 'SKILL.md') : full;
  const text = await textAtPlace(file, cwd, deps);
  const folder = (await files.realPath(dirname(file))) ?? dirname(file);
  // A file of another name is imported by itself: what lies beside it may be anything.
  const isSkill = basename(file).toLowerCase() === 'skill.md';
  return {
    text,
    origin: isSkill ? `${basename(folder)}/${basename(file)}` : basename(file),
    folder: isSkill ? await readSkillFolder(files, folder) : NOTHING,
  };
}

/** The topology that gets the documents; null = nobody can tell which. */
async function topologyFor(place: WorkspaceFiles, asked: string | null): Promise<string | null> {
  if (asked !== null) return asked;
  const names = new Set((await readArtifactFiles(place, 'topologies')).map(({ name }) => name));
  const [only] = names;
  return names.size === 1 && only !== undefined ? only : null;
}

interface Knowledge {
  readonly edited: readonly PlannedFile[];
  readonly notes: readonly string[];
}

/** Makes a knowledge base of the documents. Throws KIT_USAGE for a topology that is not there. */
async function knowledgeOf(place: WorkspaceFiles, id: string, asked: string | null): Promise<Knowledge> {
  const path = `knowledge/${id}`;
  const topology = await topologyFor(place, asked);
  const search = `agents find its documents with the skill search-${id}: add it to theirs`;
  if (topology === null)
    return {
      edited: [],
      notes: [
        `its documents lie in ${path}; a topology searches them with \`kit new knowledge ${id} --topology NAME --path ${path}\``,
      ],
    };
  const file = findFile(await readArtifactFiles(place, 'topologies'), topology);
  const bases = objectsAt(objectAt(file?.value ?? null, 'artifacts'), 'knowledge_bases');
  if (bases.some((base) => textAt(base, 'id') === id)) return { edited: [], notes: [search] };
  const changed = await changeFile(place, {
    in: { file: 'topology', topology },
    keys: ['artifacts', 'knowledge_bases'],
    do: 'append',
    entry: { id, path },
  });
  const full = join(place.root, changed.path);
  return {
    edited: [
      {
        place: { path: changed.path, asked: full, real: changed.real },
        before: await readCurrent(place.files, full),
        text: changed.text,
      },
    ],
    notes: [`${topology} gets the knowledge base ${id}`, search],
  };
}

/** See `SkillsApp.planImport`. */
export async function planImport(
  { workspace, source, topology }: ImportSkill,
  deps: ImportDeps,
): Promise<{ readonly plan: ImportPlan; readonly prepared: Prepared }> {
  const place = await openWorkspaceFiles(workspace, deps.compile.files);
  const { text, origin, folder } = await find(source, deps);
  const converted = convertSkillMd(text, origin);
  if (!converted.ok) {
    const { code, message } = converted;
    throw skillRefused('this is not a SKILL.md', [{ code, message, path: 'SKILL.md', pointer: '', line: null }]);
  }
  const { id } = converted;
  const there = findFile(await readArtifactFiles(place, 'skills'), id)?.path ?? converted.path;
  const files = await Promise.all([
    stateOfFile(place, there, converted.text),
    ...folder.documents.map((document) => stateOfFile(place, `knowledge/${id}/${document.path}`, document.text)),
  ]);
  const { edited, notes } =
    folder.documents.length === 0 ? { edited: [], notes: [] } : await knowledgeOf(place, id, topology);
  const changes = { files, entries: [], edited };
  return {
    prepared: await prepare(workspace, changes, deps),
    plan: {
      skill: id,
      path: there,
      files,
      server: null,
      credentials: [],
      notes,
      leftOut: [...converted.leftOut, ...folder.leftOut],
      digest: digestOf(changes),
    },
  };
}
