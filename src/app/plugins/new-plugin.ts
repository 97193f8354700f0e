import { basename, join, resolve } from 'node:path';
import { KitError } from '../../domain/errors.js';
import { POINT_IDS } from '../../domain/extension-points.js';
import type { Files, NewFiles } from '../../domain/ports/system.js';
import { hintFor } from '../../lib/nearest.js';
import { filesBelow, type TemplateFile } from '../templates.js';
import { javaScriptFiles, typeScriptFiles } from './typescript-plugin.js';

/** What `kit plugins new` is asked for. */
export interface NewPluginRequest {
  /** An extension point, or `commands`. */
  readonly point: string;
  /** Absolute directory to write into; null = `<package name>` below the current one. */
  readonly directory: string | null;
  /** Package name; null = made from the directory, or from the point. */
  readonly name: string | null;
  /** Sources in TypeScript, with a build; default false: plain JavaScript. */
  readonly isTypeScript?: boolean;
}

/** A skeleton as it would be written. Nothing has been written yet. */
export interface NewPluginPlan {
  readonly directory: string;
  readonly point: string;
  readonly packageName: string;
  /** `<publisher>.<name>` of its contribution; null for `commands`. */
  readonly id: string | null;
  readonly files: readonly TemplateFile[];
}

/** What planning and writing a skeleton need of the machine. */
export interface NewPluginDeps {
  readonly files: Files;
  readonly newFiles: NewFiles;
  /** Directory of the running kit: `templates/plugins/` lies in it. */
  readonly packageRoot: string;
  readonly cwd: string;
}

/** npm's own rule, without what it allows for old packages. */
const PACKAGE_NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;
const MAX_NAME_CHARS = 214;

const usage = (message: string, hint: string): KitError => new KitError('KIT_USAGE', message, { hint });

const spoken = (point: string): string =>
  point.replaceAll(/([A-Z])/g, (letter) => `-${letter.toLowerCase()}`).replace(/s$/, '');

/**
 * `acme`, `echo` of `@acme/kit-plugin-echo`. Without a scope the name itself stands for the
 * publisher: npm has it once.
 */
function partsOf(packageName: string): { readonly publisher: string; readonly name: string } {
  const [, scope, rest = ''] = /^(?:@([^/]+)\/)?(.*)$/.exec(packageName) ?? [];
  const plain = (text: string): string => text.replaceAll(/[^a-z0-9-]+/g, '-').replaceAll(/^-+|-+$/g, '');
  const name = plain(rest.replace(/^kit-plugin-(?=.)/, '')) || 'plugin';
  return { publisher: scope === undefined ? name : plain(scope), name };
}

function packageNameOf({ point, directory, name }: NewPluginRequest): string {
  if (name !== null) return name;
  if (directory === null) return `kit-plugin-${spoken(point)}`;
  return basename(directory)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '');
}

function checkPoint(point: string, offered: readonly string[]): void {
  if (offered.includes(point)) return;
  const list = `There are: ${offered.join(', ')}.`;
  if (POINT_IDS.some((known) => known === point))
    throw new KitError(
      'KIT_NOT_YET',
      `nothing in this version of kit uses ${point}: a manifest that names it is refused`,
      { hint: list },
    );
  throw usage(`there is no extension point ${point}`, hintFor(point, [...offered, ...POINT_IDS], { fallback: list }));
}

/** Puts the names in place of those of the template, in paths and texts. */
function named(file: TemplateFile, packageName: string): TemplateFile {
  const { publisher, name } = partsOf(packageName);
  const fill = (text: string): string =>
    text
      .replaceAll('kit-plugin-sample', packageName)
      .replaceAll('sample-publisher', publisher)
      .replaceAll('sample-name', name);
  return { path: fill(file.path), text: fill(file.text) };
}

/**
 * Points for which there is a skeleton, in order; `commands` is none, but a plugin may have nothing
 * else.
 */
export async function listSkeletons(deps: Pick<NewPluginDeps, 'files' | 'packageRoot'>): Promise<readonly string[]> {
  const entries = (await deps.files.list(join(deps.packageRoot, 'templates', 'plugins'))) ?? [];
  return entries.filter(({ kind }) => kind === 'directory').map(({ name }) => name);
}

/**
 * Plans a skeleton whose contract test passes as it is. Throws KIT_USAGE for an unknown point, a
 * name that npm would refuse, and files in the way (all of them named); KIT_NOT_YET for a point
 * that nothing uses yet.
 */
export async function planPlugin(request: NewPluginRequest, deps: NewPluginDeps): Promise<NewPluginPlan> {
  const { point } = request;
  checkPoint(point, await listSkeletons(deps));
  const packageName = packageNameOf(request);
  if (!PACKAGE_NAME.test(packageName) || packageName.length > MAX_NAME_CHARS)
    throw usage(
      `"${packageName}" is not a name for a package`,
      'Pass --name with lower-case letters, digits and dashes, such as --name @acme/kit-plugin-echo.',
    );
  const directory = request.directory ?? resolve(deps.cwd, basename(packageName));
  if ((await deps.files.realPath(directory)) !== null && (await deps.files.list(directory)) === null)
    throw usage(`${directory} is a file`, 'Name a directory; it is made when it does not exist.');
  const template = await filesBelow(deps.files, join(deps.packageRoot, 'templates', 'plugins', point), '');
  const chosen = request.isTypeScript === true ? await typeScriptFiles(template, deps) : javaScriptFiles(template);
  const files = chosen.map((file) => named(file, packageName));
  const present = await Promise.all(files.map(({ path }) => deps.files.realPath(join(directory, path))));
  const conflicts = files.filter((_file, index) => present[index] !== null).map(({ path }) => path);
  if (conflicts.length > 0)
    throw new KitError('KIT_USAGE', `${directory} already holds ${conflicts.join(', ')}`, {
      hint: 'Choose another directory: kit never overwrites. Nothing was written.',
      data: { conflicts },
    });
  const { publisher, name } = partsOf(packageName);
  return { directory, point, packageName, id: point === 'commands' ? null : `${publisher}.${name}`, files };
}

/**
 * Writes what was planned. Throws KIT_USAGE when a file came into being meanwhile; files written
 * before it stay.
 */
export async function writePlugin(plan: NewPluginPlan, deps: Pick<NewPluginDeps, 'newFiles'>): Promise<void> {
  for (const { path, text } of plan.files) {
    if (!(await deps.newFiles.create(join(plan.directory, path), text)))
      throw usage(
        `${path} appeared in ${plan.directory} while the skeleton was written`,
        'Run the command again with another directory.',
      );
  }
}
