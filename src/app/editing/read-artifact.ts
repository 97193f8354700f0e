import { join } from 'node:path';
import { listAt, objectAt, textAt } from '../../compile/read.js';
import type { AgentNode } from '../../domain/agent-node.js';
import type { JsonObject } from '../../domain/json.js';
import { mapTexts } from '../../lib/map-texts.js';
import { compileDirectory, type WorkspaceDeps } from '../load-workspace.js';
import { openWorkspaceFiles } from '../workspace-files.js';
import { type ArtifactFile, idOf, readArtifactFiles } from './artifact-files.js';
import { type CurrentFile, readCurrent } from './current-file.js';
import { openArtifact } from './edit-artifact.js';
import type { ArtifactAsk, ArtifactDetail, ArtifactRow, EditingApp, ResolvedAgent } from './editing-app.js';
import { refusedEdit, unknownArtifact } from './refusals.js';

interface ReadDeps {
  readonly compile: WorkspaceDeps;
}

const metadataOf = (file: ArtifactFile) => objectAt(file.value, 'metadata');
const descriptionOf = (file: ArtifactFile): string => textAt(metadataOf(file), 'description') ?? '';
const titleOf = (file: ArtifactFile): string => textAt(metadataOf(file), 'name') ?? file.name;

export async function listArtifacts(
  { workspace, kind }: Parameters<EditingApp['list']>[0],
  { compile }: ReadDeps,
): Promise<readonly ArtifactRow[]> {
  const files = await readArtifactFiles(await openWorkspaceFiles(workspace, compile.files), kind);
  return files.map((file) => ({
    id: idOf(files, file),
    name: titleOf(file),
    version: file.version,
    description: descriptionOf(file),
    category: kind === 'skills' ? textAt(file.value, 'category') : null,
    role: kind === 'archetypes' ? textAt(file.value, 'role') : null,
    path: file.path,
  }));
}

async function openFile(
  ask: ArtifactAsk,
  deps: ReadDeps,
): Promise<{ readonly file: ArtifactFile; readonly id: string; readonly current: CurrentFile }> {
  const { workspace, files, old } = await openArtifact(ask, deps);
  const current = await readCurrent(workspace.files, join(workspace.root, old.path));
  if (current === null) throw unknownArtifact(`file ${old.path} any more`, ask.id, []);
  return { file: old, id: idOf(files, old), current };
}

export async function readText(
  ask: ArtifactAsk,
  deps: ReadDeps,
): Promise<{ readonly text: string; readonly etag: string }> {
  const { current } = await openFile(ask, deps);
  return { text: current.text, etag: current.etag };
}

const resolvedAgent = (agent: AgentNode): ResolvedAgent => ({
  id: agent.id,
  role: agent.role,
  sourceArchetype: agent.archetype,
  dependsOn: agent.dependsOn,
  model: agent.executor.kind === 'model' ? { provider: agent.model.provider, name: agent.model.name } : null,
  skills: agent.skills,
  requires: agent.requires,
  funnel: agent.funnel,
  children: agent.children.map(resolvedAgent),
});

/** Null while anything in the workspace is an error. */
async function resolvedTopology(
  directory: string,
  file: ArtifactFile,
  { compile }: ReadDeps,
): Promise<{ readonly resolved: ResolvedAgent | null; readonly inputSchema: JsonObject | null }> {
  const { workspace, mask } = await compileDirectory(directory, compile);
  const found = workspace?.topologies.get(`${file.name}@${file.version}`);
  if (found === undefined) return { resolved: null, inputSchema: null };
  return { resolved: mapTexts(resolvedAgent(found.root), mask), inputSchema: mapTexts(found.inputSchema, mask) };
}

export async function showArtifact(
  ask: ArtifactAsk,
  deps: ReadDeps,
): Promise<{ readonly detail: ArtifactDetail; readonly etag: string }> {
  const { file, id, current } = await openFile(ask, deps);
  return { detail: await detailOf(ask, { file, id }, deps), etag: current.etag };
}

async function detailOf(
  ask: ArtifactAsk,
  { file, id }: { readonly file: ArtifactFile; readonly id: string },
  deps: ReadDeps,
): Promise<ArtifactDetail> {
  const common = { id, description: descriptionOf(file) };
  const defaults = objectAt(file.value, 'defaults');
  switch (ask.kind) {
    case 'topologies':
      return {
        kind: ask.kind,
        ...common,
        version: file.version,
        ...(await resolvedTopology(ask.workspace, file, deps)),
      };
    case 'skills':
      return {
        kind: ask.kind,
        ...common,
        name: titleOf(file),
        category: textAt(file.value, 'category'),
        implementationType: textAt(objectAt(file.value, 'implementation'), 'type'),
      };
    case 'archetypes':
      return {
        kind: ask.kind,
        ...common,
        name: titleOf(file),
        role: textAt(file.value, 'role'),
        defaults: {
          model: objectAt(defaults, 'model'),
          skills: [...listAt(file.value, 'skills'), ...listAt(defaults, 'skills')],
        },
      };
    default:
      // Funnels, contracts and roles have no detail of their own yet: their text is all there is.
      throw refusedEdit({
        code: 'edit.no-detail',
        message: `${ask.kind} are read as text`,
        path: file.path,
        pointer: '',
        line: null,
      });
  }
}
