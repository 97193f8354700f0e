import { dirname, join, relative, sep } from 'node:path';
import type { Files, NewFiles } from '../../domain/ports/system.js';
import { filesBelow, type TemplateFile } from '../templates.js';
import type { Machine } from './choose-provider.js';
import { extraFiles, type InitExtra } from './extras.js';
import { schemaGlobs } from './plan-init.js';
import { assertNoLinks, presentIn } from './target.js';

/** The nearest directory upwards that holds `.git`; null = there is none. */
export async function repositoryTop(directory: string, deps: Pick<InitDeps, 'files'>): Promise<string | null> {
  if ((await deps.files.realPath(join(directory, '.git'))) !== null) return directory;
  const above = dirname(directory);
  return above === directory ? null : repositoryTop(above, deps);
}

async function versionOf(deps: Pick<InitDeps, 'files' | 'packageRoot'>): Promise<string> {
  const manifest: unknown = JSON.parse((await deps.files.readText(join(deps.packageRoot, 'package.json'))) ?? '{}');
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : 'latest';
}

/** The files around a workspace. Of an extra that is there in part, the rest is written. */
export async function planExtras(
  directory: string,
  workspace: readonly Pick<TemplateFile, 'path'>[],
  extras: readonly InitExtra[],
  deps: Pick<InitDeps, 'files' | 'packageRoot'>,
): Promise<{ readonly files: readonly TemplateFile[]; readonly skipped: readonly string[] }> {
  if (extras.length === 0) return { files: [], skipped: [] };
  const top = await repositoryTop(directory, deps);
  const facts = {
    version: await versionOf(deps),
    below: top === null ? '' : relative(top, directory).split(sep).join('/'),
    hasEvals: workspace.some(({ path }) => path.startsWith('evals/')),
    schemas: await filesBelow(deps.files, join(deps.packageRoot, 'schemas', 'kinds'), ''),
    kinds: schemaGlobs(),
  };
  const files = [...new Set(extras)].flatMap((extra) => extraFiles(extra, facts));
  const skipped = await presentIn(
    deps,
    directory,
    files.map(({ path }) => path),
  );
  await assertNoLinks(deps, directory, files);
  return { files: files.filter(({ path }) => !skipped.includes(path)), skipped };
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
