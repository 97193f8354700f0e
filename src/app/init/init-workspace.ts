import { basename, dirname, join, resolve } from 'node:path';
import { WORKSPACE_FILES } from '../../compile/discover/layout.js';
import { KitError } from '../../domain/errors.js';
import type { Files, NewFiles } from '../../domain/ports/system.js';
import { hintFor } from '../../lib/nearest.js';
import { filesBelow, type TemplateFile } from '../templates.js';
import { chooseProvider, type Machine, type ProviderChoice } from './choose-provider.js';
import { planInit, topologyNames, variablesToSet } from './plan-init.js';
import { schemaPath } from './schema-path.js';

/** A template that `kit init` can write. */
export interface Template {
  readonly name: string;
  /** `metadata.description` of its workspace.yaml, on one line; '' when it has none. */
  readonly description: string;
}

/** What would be written where. Nothing has been written yet. */
export interface InitPlan {
  /** Absolute directory. */
  readonly directory: string;
  readonly template: string;
  readonly files: readonly TemplateFile[];
  readonly provider: ProviderChoice;
  readonly topologies: readonly string[];
  /** Environment variables that have to be set before it starts; [] = none. */
  readonly variables: readonly string[];
  /**
   * Files of the template that are left out because one of the name is there: a README belongs to
   * the project.
   */
  readonly skipped: readonly string[];
}

/** What planning and writing a workspace need of the machine. */
export interface InitDeps {
  readonly files: Files;
  readonly newFiles: NewFiles;
  /** Directory of the running kit: `templates/` and `schemas/` lie in it. */
  readonly packageRoot: string;
  /** Looks at the machine; asked once a plan is made. */
  readonly machine: () => Promise<Machine>;
}

const descriptionIn = (text: string): string => /^\s{2}description:[ \t]*(?![|>])(.+)$/m.exec(text)?.[1]?.trim() ?? '';

/**
 * Templates that this kit brings, by name. A directory without workspace.yaml is another kind of
 * template.
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
  return templates.filter((template) => template !== null);
}

/** Explains the template and does nothing: in a project of its own README it is left out. */
const OPTIONAL = ['README.md'];

/** Names that are taken: also by a link that leads nowhere. */
async function presentIn(deps: InitDeps, directory: string, names: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(directory, name);
      if ((await deps.files.realPath(path)) !== null) return true;
      return ((await deps.files.list(dirname(path))) ?? []).some((entry) => entry.name === basename(path));
    }),
  );
  return names.filter((_name, index) => found[index]);
}

/** Every folder that files of a template lie in, the outer ones first. */
const foldersOf = (files: readonly TemplateFile[]): readonly string[] => [
  ...new Set(
    files.flatMap(({ path }) => {
      const parts = path.split('/').slice(0, -1);
      return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    }),
  ),
];

/**
 * Throws KIT_USAGE where a folder of the template is a link: its files would come to lie in another
 * place than the one that was named.
 */
async function assertNoLinks(deps: InitDeps, directory: string, files: readonly TemplateFile[]): Promise<void> {
  for (const folder of foldersOf(files)) {
    const path = join(directory, folder);
    const real = await deps.files.realPath(path);
    if (real === null || real === path) continue;
    throw new KitError('KIT_USAGE', `${folder} in ${directory} is a link to ${real}`, {
      hint: 'Choose another directory, or remove the link: kit writes into the directory that was named alone. Nothing was written.',
    });
  }
}

const inTheWay = (directory: string, conflicts: readonly string[]): KitError =>
  new KitError('KIT_USAGE', `${directory} already holds ${conflicts.join(', ')}`, {
    hint: 'Choose another directory, or move the files away: kit never overwrites. Nothing was written.',
    data: { conflicts },
  });

/**
 * Plans a new workspace. Throws KIT_USAGE for a template that does not exist, and when a file of it
 * (or another workspace file) is already there: all of them are named, and nothing is written.
 */
export async function planWorkspace(
  request: { readonly directory: string; readonly template: string },
  deps: InitDeps,
): Promise<InitPlan> {
  const asked = resolve(request.directory);
  // A link is said by where it leads, before anything is written.
  const directory = (await deps.files.realPath(asked)) ?? asked;
  if ((await deps.files.realPath(directory)) !== null && (await deps.files.list(directory)) === null) {
    throw new KitError('KIT_USAGE', `${directory} is a file`, {
      hint: 'Name a directory; it is made when it does not exist.',
    });
  }
  const names = (await listTemplates(deps)).map(({ name }) => name);
  if (!names.includes(request.template)) {
    const hint = hintFor(request.template, names, { fallback: `There are: ${names.join(', ')}.` });
    throw new KitError('KIT_USAGE', `there is no template ${request.template}`, { hint });
  }
  const files = await filesBelow(deps.files, join(deps.packageRoot, 'templates', request.template), '');
  const present = await presentIn(deps, directory, [
    ...new Set([...WORKSPACE_FILES, ...files.map(({ path }) => path)]),
  ]);
  const conflicts = present.filter((path) => !OPTIONAL.includes(path));
  if (conflicts.length > 0) throw inTheWay(directory, conflicts);
  await assertNoLinks(deps, directory, files);
  const skipped = present.filter((path) => OPTIONAL.includes(path));
  const machine = await deps.machine();
  const provider = chooseProvider(machine);
  const place = { workspace: directory, packageRoot: deps.packageRoot };
  const wanted = files.filter(({ path }) => !skipped.includes(path));
  const planned = planInit(wanted, provider, (path, schema) => schemaPath(place, path, schema));
  return {
    directory,
    template: request.template,
    files: planned,
    provider,
    topologies: topologyNames(planned),
    variables: variablesToSet(planned, machine.environment),
    skipped,
  };
}

/**
 * Writes what was planned. Throws KIT_USAGE when a file came into being meanwhile; files written
 * before it stay.
 */
export async function writeWorkspace(plan: InitPlan, deps: Pick<InitDeps, 'newFiles'>): Promise<void> {
  for (const file of plan.files) {
    const isNew = await deps.newFiles.create(join(plan.directory, file.path), file.text);
    if (!isNew)
      throw new KitError('KIT_USAGE', `${file.path} appeared in ${plan.directory} while the template was written`, {
        hint: 'Move it away and run `kit init` in another directory.',
      });
  }
}
