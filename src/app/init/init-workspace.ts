import { join } from 'node:path';
import { KitError } from '../../domain/errors.js';
import { hintFor } from '../../lib/nearest.js';
import { filesBelow, type TemplateFile } from '../templates.js';
import { chooseProvider, type ProviderChoice } from './choose-provider.js';
import type { InitExtra } from './extras.js';
import { type InitDeps, planExtras, repositoryTop } from './plan-extras.js';
import {
  linesToTry,
  planInit,
  runsPrograms,
  topologyNames,
  variablesToSet,
  withClaude,
  withTestCommand,
} from './plan-init.js';
import { schemaPath } from './schema-path.js';
import { assertFree, targetDirectory } from './target.js';

/** A template that `kit init` can write. */
export interface Template {
  readonly name: string;
  /** `metadata.description` of its workspace.yaml, on one line; '' when it has none. */
  readonly description: string;
}

/** What a new workspace is made of, and where it goes. */
export interface InitRequest {
  readonly directory: string;
  readonly template: string;
  /** Files around it; default none. */
  readonly extras?: readonly InitExtra[];
}

/** What would be written where. Nothing has been written yet. */
export interface InitPlan {
  /** Absolute directory. */
  readonly directory: string;
  readonly template: string;
  readonly files: readonly TemplateFile[];
  readonly provider: ProviderChoice;
  readonly topologies: readonly string[];
  /** A command line for each topology that works as it is pasted, inside the workspace. */
  readonly tries: readonly string[];
  /** Environment variables that have to be set before it starts; [] = none. */
  readonly variables: readonly string[];
  /** Its programs work in a copy of a git repository, and the directory lies in none. */
  readonly lacksRepository: boolean;
  /**
   * Files that are left out because one of the name is there: a README, a .gitignore and the like
   * belong to the project.
   */
  readonly skipped: readonly string[];
}

const descriptionIn = (text: string): string => /^\s{2}description:[ \t]*(?![|>])(.+)$/m.exec(text)?.[1]?.trim() ?? '';

/**
 * Templates that this kit brings: the ones to begin with, then by name. A directory without
 * workspace.yaml is another kind of template.
 */
export async function listTemplates(deps: Pick<InitDeps, 'files' | 'packageRoot'>): Promise<readonly Template[]> {
  const folder = join(deps.packageRoot, 'templates');
  const entries = (await deps.files.list(folder)) ?? [];
  const templates = await Promise.all(
    entries.map(async ({ name }): Promise<Template | null> => {
      const text = await deps.files.readText(join(folder, name, 'workspace.yaml'));
      return text === null ? null : { name, description: descriptionIn(text) };
    }),
  );
  return templates.filter((template) => template !== null).sort((a, b) => rankOf(a) - rankOf(b));
}

/** What is shown first; the others follow by name. */
const FIRST = ['hello', 'quickstart', 'release-gate', 'harness', 'empty'];
const rankOf = ({ name }: Template): number => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);

/**
 * Plans a new workspace. Throws KIT_USAGE for a template that does not exist, and when a file of it
 * (or another workspace file) is already there: all of them are named, and nothing is written.
 */
export async function planWorkspace(request: InitRequest, deps: InitDeps): Promise<InitPlan> {
  const directory = await targetDirectory(request.directory, deps);
  const names = (await listTemplates(deps)).map(({ name }) => name);
  if (!names.includes(request.template)) {
    const hint = hintFor(request.template, names, { fallback: `There are: ${names.join(', ')}.` });
    throw new KitError('KIT_USAGE', `there is no template ${request.template}`, { hint });
  }
  const files = await filesBelow(deps.files, join(deps.packageRoot, 'templates', request.template), '');
  const skipped = await assertFree(directory, files, deps);
  const machine = await deps.machine();
  const provider = chooseProvider(machine);
  const place = { workspace: directory, packageRoot: deps.packageRoot };
  const found = files.filter(({ path }) => !skipped.includes(path));
  const wanted = machine.hasClaude === true ? withClaude(found) : found;
  const hasSettings = request.extras?.includes('editor') === true;
  const planned = planInit(wanted, provider, hasSettings ? null : (path, schema) => schemaPath(place, path, schema));
  const beside = await planExtras(directory, planned, request.extras ?? [], deps);
  const topologies = [...new Set(topologyNames(planned))];
  const lacksRepository = runsPrograms(planned) && (await repositoryTop(directory, deps)) === null;
  const isNew = (await deps.files.realPath(directory)) === null;
  const tries = linesToTry(topologies, files, provider);
  return {
    directory,
    template: request.template,
    files: [...planned, ...beside.files],
    provider,
    topologies,
    tries: lacksRepository && isNew ? withTestCommand(tries, planned, machine.environment) : tries,
    variables: variablesToSet(planned, machine.environment),
    lacksRepository,
    skipped: [...skipped, ...beside.skipped],
  };
}

/** Files of a new workspace, and where they go. */
export interface WritablePlan {
  readonly directory: string;
  readonly files: readonly { readonly path: string; readonly text: string | Uint8Array }[];
}

/**
 * Writes what was planned. Throws KIT_USAGE when a file came into being meanwhile; files written
 * before it stay.
 */
export async function writeWorkspace(plan: WritablePlan, deps: Pick<InitDeps, 'newFiles'>): Promise<void> {
  for (const file of plan.files) {
    const isNew = await deps.newFiles.create(join(plan.directory, file.path), file.text);
    if (!isNew)
      throw new KitError('KIT_USAGE', `${file.path} appeared in ${plan.directory} while the workspace was written`, {
        hint: 'Move it away and run `kit init` in another directory.',
      });
  }
}
