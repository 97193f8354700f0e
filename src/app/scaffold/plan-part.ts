import { join } from 'node:path';
import { bundledAdapters } from '../../compile/builtin/load-adapters.js';
import { parseSource } from '../../compile/parse/parse-source.js';
import { objectAt, textAt } from '../../compile/read.js';
import type { SourceFile } from '../../domain/diagnostic.js';
import { KitError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { FileEdits, NewFiles } from '../../domain/ports/system.js';
import { readArtifactFiles } from '../editing/artifact-files.js';
import { readCurrent } from '../editing/current-file.js';
import { editPlace } from '../editing/edit-place.js';
import { type Fault, newFaults } from '../editing/judge.js';
import { overlayFiles } from '../editing/overlay-files.js';
import { placeOf } from '../editing/refusals.js';
import { chooseProvider, type Machine } from '../init/choose-provider.js';
import type { WorkspaceDeps } from '../load-workspace.js';
import { readRoleFiles } from '../review/read-roles.js';
import { openWorkspaceFiles, readFolder, type WorkspaceFiles } from '../workspace-files.js';
import { changeFile } from './change-file.js';
import type { Known, PartDraft, PartFile, PartPlan, PartRequest } from './part-request.js';
import { agentDraft, topologyDraft } from './parts/agents.js';
import { funnelDraft, roleDraft } from './parts/people.js';
import { skillDraft, toolServerDraft } from './parts/skills.js';
import { evalDraft, knowledgeDraft, providerDraft, triggerDraft } from './parts/work.js';

/** What planning and writing a part need from outside. */
export interface ScaffoldDeps {
  /** What compiling the workspace needs; its files are the real ones. */
  readonly compile: WorkspaceDeps;
  readonly newFiles: NewFiles;
  readonly edits: FileEdits;
  /** Looks at the machine, for the model of a new agent. */
  readonly machine: () => Promise<Machine>;
}

const ID = /^[a-z][a-z0-9-]{0,62}$/;

function assertIds(request: PartRequest): void {
  const agents = request.part === 'topology' ? [request.root, ...request.agents] : [];
  const wrong = [request.id, ...agents].find((id) => !ID.test(id));
  if (wrong !== undefined)
    throw new KitError('KIT_USAGE', `\`${wrong.slice(0, 80)}\` is not an id`, {
      hint: 'Use lower-case letters, digits and dashes, beginning with a letter, such as release-notes.',
    });
  const twice = agents.find((id, at) => agents.indexOf(id) !== at);
  if (twice === undefined) return;
  const isRoot = request.part === 'topology' && twice === request.root;
  throw new KitError('KIT_USAGE', `the agent \`${twice}\` is named twice`, {
    hint: isRoot
      ? `\`${twice}\` is the root, which leads the others: leave it out of --agents, or name the root with --root.`
      : 'Name each agent once.',
  });
}

const hasGate = (adapter: JsonObject): boolean => objectAt(objectAt(adapter, 'spec'), 'gate') !== null;

/** An adapter of the workspace, and whether its program asks kit before a call. */
function gateOf(source: SourceFile): readonly (readonly [string, boolean])[] {
  const value = parseSource(source).parsed?.value ?? null;
  const id = value === null ? null : textAt(objectAt(value, 'metadata'), 'id');
  return value === null || id === null ? [] : [[id, hasGate(value)]];
}

/** Roles are read where a part asks for them: elsewhere a broken role file is not in the way. */
async function knownIn(place: WorkspaceFiles, request: PartRequest, deps: ScaffoldDeps): Promise<Known> {
  const makesAgents = request.part === 'topology' || request.part === 'agent';
  const isHarness = request.part === 'agent' && request.harness !== null;
  const [archetypes, own, roles, machine] = await Promise.all([
    makesAgents ? readArtifactFiles(place, 'archetypes') : [],
    isHarness ? readFolder(place, 'adapters') : [],
    request.part === 'funnel' ? readRoleFiles(place.root, deps.compile) : null,
    makesAgents ? deps.machine() : null,
  ]);
  return {
    archetypes: archetypes.map(({ name }) => name),
    adapters: new Map(
      isHarness
        ? [
            ...[...bundledAdapters(deps.compile.adapterSources)].map(
              ([id, { value }]) => [id, hasGate(value)] as const,
            ),
            ...own.flatMap(gateOf),
          ]
        : [],
    ),
    roles: new Map((roles?.roles ?? []).map(({ id, scopes }) => [id, scopes])),
    model: machine === null ? null : chooseProvider(machine).model,
  };
}

async function assertFree({ files, root }: WorkspaceFiles, wanted: readonly PartFile[]): Promise<void> {
  const found = await Promise.all(wanted.map(({ path }) => files.realPath(join(root, path))));
  const conflicts = wanted.filter((_file, at) => found[at] !== null).map(({ path }) => path);
  if (conflicts.length > 0)
    throw new KitError('KIT_USAGE', `${conflicts.join(', ')} ${conflicts.length === 1 ? 'is' : 'are'} there already`, {
      hint: 'Choose another id, or edit the file: kit never overwrites. Nothing was written.',
      data: { conflicts },
    });
}

/** Nobody searches what is not there, and a run that may would be refused. */
async function assertDocuments({ files, root }: WorkspaceFiles, request: PartRequest): Promise<void> {
  if (request.part !== 'knowledge' || (await files.realPath(join(root, request.path))) !== null) return;
  throw new KitError('KIT_USAGE', `there is no file or folder ${request.path} in the workspace`, {
    hint: 'Put the documents there first, or name another place with --path.',
  });
}

function refused(request: PartRequest, errors: readonly Fault[]): KitError {
  const [first] = errors;
  const place = first === undefined ? '' : `${placeOf(first)}: ${first.message}`;
  return new KitError('KIT_USAGE', `this ${request.part} would not be valid: ${place}`, {
    hint: `${hintOf(first?.help ?? null)} Nothing was written.`,
    data: { errors },
  });
}

/** What the diagnostic says helps, as a sentence. */
const hintOf = (help: string | null): string =>
  help === null
    ? 'Name what is there, or make what is missing first.'
    : `${help.charAt(0).toUpperCase()}${help.slice(1)}${/[.?]$/.test(help) ? '' : '.'}`;

/**
 * Plans a part of a workspace; writes nothing. What it would write compiles: errors that the
 * workspace had before are not in the way.
 *
 * Throws KIT_WORKSPACE_NOT_FOUND; KIT_USAGE for an id that is none or is taken, for a name that
 * leads nowhere, and for what would not be valid.
 */
export async function planPart(
  { workspace, request }: { readonly workspace: string; readonly request: PartRequest },
  deps: ScaffoldDeps,
): Promise<PartPlan> {
  assertIds(request);
  const place = await openWorkspaceFiles(workspace, deps.compile.files);
  await assertDocuments(place, request);
  const draft: PartDraft = draftPart(request, await knownIn(place, request, deps));
  await Promise.all(draft.files.map(({ path }) => editPlace(place, path.split('/')[0] ?? '', path)));
  await assertFree(place, draft.files);
  const edited = draft.change === null ? null : await changeFile(place, draft.change);
  const changed = [...draft.files, ...(edited === null ? [] : [edited])];
  const after = changed.reduce(
    (files, { path, text }) => overlayFiles(files, join(place.root, path), text),
    deps.compile.files,
  );
  const faults = await newFaults(place.root, deps.compile, after);
  if (faults.length > 0) throw refused(request, faults);
  return { root: place.root, files: draft.files, edited, next: draft.next };
}

/**
 * Writes what was planned. Throws KIT_USAGE when a file came into being since, and KIT_EDIT_STALE
 * when the file with the new entry was changed; files written before it stay.
 */
export async function writePart({ root, files, edited }: PartPlan, deps: ScaffoldDeps): Promise<void> {
  if (edited !== null) {
    const now = await readCurrent(deps.compile.files, join(root, edited.path));
    if (now?.etag !== edited.before)
      throw new KitError('KIT_EDIT_STALE', `${edited.path} was changed by somebody else meanwhile`);
    await deps.edits.replace(edited.real, edited.text);
  }
  for (const { path, text } of files) {
    if (!(await deps.newFiles.create(join(root, path), text)))
      throw new KitError('KIT_USAGE', `${path} appeared while the part was written`, {
        hint: 'Move it away, or choose another id.',
      });
  }
}

/** What a part would write. Pure. Throws KIT_USAGE for a role that is not there. */
function draftPart(request: PartRequest, known: Known): PartDraft {
  switch (request.part) {
    case 'topology':
      return topologyDraft(request, known);
    case 'agent':
      return agentDraft(request, known);
    case 'skill':
      return skillDraft(request);
    case 'tool-server':
      return toolServerDraft(request);
    case 'funnel':
      return funnelDraft(request, known);
    case 'role':
      return roleDraft(request);
    case 'trigger':
      return triggerDraft(request);
    case 'provider':
      return providerDraft(request);
    case 'eval':
      return evalDraft(request);
    case 'knowledge':
      return knowledgeDraft(request);
  }
}
