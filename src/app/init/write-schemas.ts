import { dirname, join, relative, sep } from 'node:path';
import type { FileEdits } from '../../domain/ports/system.js';
import { isObject } from '../../lib/json.js';
import { filesBelow, type TemplateFile } from '../templates.js';
import { openWorkspaceFiles, readSources } from '../workspace-files.js';
import { SCHEMA_FOLDER, SETTINGS_FILE, yamlSchemas } from './extras.js';
import type { InitDeps } from './plan-extras.js';
import { schemaGlobs } from './plan-init.js';
import { assertNoLinks } from './target.js';

/** What `kit schemas` found, and wrote where it was asked to. */
export interface SchemasReport {
  /** Real path of the workspace. */
  readonly directory: string;
  readonly kinds: readonly { readonly glob: string; readonly schema: string }[];
  /** Files that are not yet as they should be, relative to the workspace: written with `write`. */
  readonly changes: readonly string[];
  readonly isWritten: boolean;
  /**
   * What belongs into the editor's settings, where the file that is there has comments or is no
   * JSON: kit leaves it alone. Null = the settings are right, or among `changes`.
   */
  readonly paste: string | null;
}

export interface SchemasDeps extends Pick<InitDeps, 'files' | 'packageRoot'> {
  readonly edits: FileEdits;
}

/** `default` is the word that an editor knows for what a key means where it is not written. */
const withDefaults = (schema: string): string => schema.replaceAll('"x-default":', '"default":');

/** A schema line that names a place of one machine. */
const MACHINE_LINE =
  /^# yaml-language-server: \$schema=(?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])\S*\/schemas\/kinds\/([a-z-]+\.schema\.json)[ \t]*$/m;

/** The same file with a way to the schemas beside the workspace, which holds for everybody. */
function withSharedLine({ path, text }: TemplateFile): TemplateFile {
  const folder = relative(dirname(path), SCHEMA_FOLDER).split(sep).join('/');
  const way = folder.startsWith('.') ? folder : `./${folder}`;
  return {
    path,
    text: text.replace(MACHINE_LINE, (_, schema: string) => `# yaml-language-server: $schema=${way}/${schema}`),
  };
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

const isEntries = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value === undefined || isObject(value);

/** The settings with the entries of kit's schemas in place of earlier ones; null = not by kit. */
function settingsWith(text: string | null): string | null {
  const before = text === null || text.trim() === '' ? {} : parsed(text);
  const entries = before?.['yaml.schemas'];
  if (before === null || !isEntries(entries)) return null;
  const others = Object.entries(entries ?? {}).filter(([file]) => !file.startsWith(`./${SCHEMA_FOLDER}/`));
  const after = { ...before, 'yaml.schemas': { ...Object.fromEntries(others), ...yamlSchemas(schemaGlobs()) } };
  return JSON.stringify(before) === JSON.stringify(after) ? text : `${JSON.stringify(after, null, 2)}\n`;
}

/**
 * Puts the schemas of this kit beside a workspace, and tells the editor which files they are of.
 * Earlier copies are replaced, other settings stay, and a schema line of a file that names a place
 * of one machine becomes relative. Throws KIT_WORKSPACE_NOT_FOUND; KIT_USAGE where `.vscode` is a
 * link.
 */
export async function writeSchemas(
  { workspace, write }: { readonly workspace: string; readonly write: boolean },
  deps: SchemasDeps,
): Promise<SchemasReport> {
  const place = await openWorkspaceFiles(workspace, deps.files);
  const schemas = await filesBelow(deps.files, join(deps.packageRoot, 'schemas', 'kinds'), '');
  const sources = await readSources(place, () => true);
  const now = (path: string): Promise<string | null> => deps.files.readText(join(place.root, path));
  const settingsNow = await now(SETTINGS_FILE);
  const settings = settingsWith(settingsNow);
  const wanted: readonly TemplateFile[] = [
    ...schemas.map(({ path, text }) => ({ path: `${SCHEMA_FOLDER}/${path}`, text: withDefaults(text) })),
    ...(settings === null ? [] : [{ path: SETTINGS_FILE, text: settings }]),
    ...sources.filter(({ path, text }) => /\.ya?ml$/.test(path) && MACHINE_LINE.test(text)).map(withSharedLine),
  ];
  await assertNoLinks(
    deps,
    place.root,
    wanted.filter(({ path }) => path.startsWith('.vscode/')),
  );
  const states = await Promise.all(wanted.map(async ({ path, text }) => (await now(path)) !== text));
  const changes = wanted.filter((_, index) => states[index]);
  if (write) for (const { path, text } of changes) await deps.edits.replace(join(place.root, path), text);
  return {
    directory: place.root,
    kinds: schemaGlobs(),
    changes: changes.map(({ path }) => path),
    isWritten: write,
    paste: settings === null ? JSON.stringify({ 'yaml.schemas': yamlSchemas(schemaGlobs()) }, null, 2) : null,
  };
}
