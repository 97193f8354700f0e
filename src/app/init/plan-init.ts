import { KIND_FOLDERS, WORKSPACE_FILES } from '../../compile/discover/layout.js';
import type { TemplateFile } from '../templates.js';
import type { ProviderChoice } from './choose-provider.js';

/**
 * What a template's agents use without a language model, its script included; a chosen model stands
 * in their place.
 */
const WITHOUT_MODEL =
  /^([ \t]*)provider: (rules|mock)[ \t]*\r?\n\1name: \2[ \t]*(?:\r?\n\1options:[ \t]*(?:\r?\n\1[ \t]+\S.*)*)?$/gm;

/** The comments right above it that say so: they hold no longer. */
const SAYS_SO = /^[ \t]*# No language model: .*\r?\n(?=[ \t]*provider: (?:rules|mock)[ \t]*\r?$)/gm;

/** A model that Ollama has, in the place of the one that a template for Ollama names. */
const OF_OLLAMA = /^([ \t]*)provider: ollama[ \t]*\r?\n\1name: \S+[ \t]*$/gm;

const schemaNameOf = (kind: string): string => `${kind.replaceAll(/(?<!^)([A-Z])/g, '-$1').toLowerCase()}.schema.json`;

/** Which schema holds for which files of a workspace, for the settings of an editor. */
export const schemaGlobs = (): readonly { readonly glob: string; readonly schema: string }[] => [
  { glob: 'workspace.y*ml', schema: schemaNameOf('Workspace') },
  ...KIND_FOLDERS.filter(({ folder }) => folder !== 'schedules').map(({ folder, kind }) => ({
    glob: kind === 'Trigger' ? '{triggers,schedules}/**/*.y*ml' : `${folder}/**/*.y*ml`,
    schema: schemaNameOf(kind),
  })),
];

/** File name of the schema of an artifact at a path of a workspace; null for other files. */
export function schemaFor(path: string): string | null {
  if (!/\.ya?ml$/.test(path)) return null;
  if (WORKSPACE_FILES.some((name) => name === path)) return schemaNameOf('Workspace');
  const folder = KIND_FOLDERS.find((entry) => path.startsWith(`${entry.folder}/`));
  return folder === undefined ? null : schemaNameOf(folder.kind);
}

const EDITOR_LINE = '# yaml-language-server: $schema=';

/** The same file with the line by which editors find its schema, in place of one that it brings. */
function withSchemaLine(
  file: TemplateFile,
  schemaPathFrom: (path: string, schema: string) => string | null,
): TemplateFile {
  const schema = schemaFor(file.path);
  if (schema === null) return file;
  const lines = file.text.split('\n').filter((line) => !line.startsWith(EDITOR_LINE));
  const way = schemaPathFrom(file.path, schema);
  return { path: file.path, text: [...(way === null ? [] : [`${EDITOR_LINE}${way}`]), ...lines].join('\n') };
}

function withModel(file: TemplateFile, { model }: ProviderChoice): TemplateFile {
  if (model === null || !/\.ya?ml$/.test(file.path)) return file;
  const chosen = (_whole: string, indent: string): string =>
    `${indent}provider: ${model.provider}\n${indent}name: ${JSON.stringify(model.name)}`;
  const own = model.provider === 'ollama' ? file.text.replaceAll(OF_OLLAMA, chosen) : file.text;
  const text = own.replaceAll(SAYS_SO, '').replaceAll(WITHOUT_MODEL, chosen);
  return { path: file.path, text };
}

/**
 * What a template's coding agent plays without a program, its script included; Claude Code stands
 * in its place where it is installed.
 */
const REHEARSAL =
  /^([ \t]*)# No language model: `rehearsal`.*\r?\n\1ref: rehearsal[ \t]*\r?\n\1config:[ \t]*\r?\n\1[ \t]+script:[ \t]*\r?\n(?:\1[ \t]+- .*\r?\n)+/gm;

/** The same files with Claude Code in place of the rehearsal. Pure. */
export const withClaude = (files: readonly TemplateFile[]): readonly TemplateFile[] =>
  files.map((file) => ({
    ...file,
    text: file.text.replaceAll(REHEARSAL, '$1ref: claude-code\n$1config:\n'),
  }));

/**
 * What stands in the files of a new workspace. Pure. `schemaPathFrom` gives a schema's path as seen
 * from a file, or null; null itself where the settings of an editor name the schemas.
 */
export function planInit(
  files: readonly TemplateFile[],
  choice: ProviderChoice,
  schemaPathFrom: ((path: string, schema: string) => string | null) | null,
): readonly TemplateFile[] {
  const chosen = files.map((file) => withModel(file, choice));
  return schemaPathFrom === null ? chosen : chosen.map((file) => withSchemaLine(file, schemaPathFrom));
}

/** Names of the topologies among the files, for the command line to try next. */
export function topologyNames(files: readonly TemplateFile[]): readonly string[] {
  return files
    .filter(({ path }) => path.startsWith('topologies/'))
    .flatMap(({ text }) => /^metadata:\s*\n(?:[ \t]+.*\n)*?[ \t]+name:[ \t]*([a-z][a-z0-9-]*)/m.exec(text)?.[1] ?? []);
}

/** Lines of a README that try it: what stands before `kit run` are variables of that one run. */
const TRIES = /^ {4}(?:[A-Z][A-Z0-9_]*=\S+ )*kit run ([a-z][a-z0-9-]*) .+$/gm;
const ASKS_OLLAMA = /^[ \t]*provider: ollama[ \t]*$/m;

/**
 * One command line for each topology that works as it is pasted: the first that the README of its
 * template has. Without an Ollama that is one which asks no model, where the template wants Ollama.
 */
export function linesToTry(
  topologies: readonly string[],
  template: readonly TemplateFile[],
  { model }: ProviderChoice,
): readonly string[] {
  const readme = template.find(({ path }) => path === 'README.md')?.text ?? '';
  const isForAnotherMachine =
    model?.provider !== 'ollama' &&
    template.some(({ path, text }) => path.startsWith('archetypes/') && ASKS_OLLAMA.test(text));
  return topologies.map((topology) => {
    const lines = [...readme.matchAll(TRIES)].filter(([, name]) => name === topology).map(([line]) => line.trim());
    const line =
      (isForAnotherMachine ? lines.find((one) => one.startsWith('KIT_PROVIDER=mock ')) : undefined) ?? lines[0];
    // What parks ends with 3: that is for scripts to mind.
    return line?.replace(/ --exit-zero-when-parked$/, '') ?? `kit run ${topology} --input "..."`;
  });
}

/** The variable with the command of the tests, where an archetype reads it and gives no default. */
const ASKS_TESTS = /\$\{(TEST_COMMAND):-\}/;

/**
 * The lines for a directory in which nothing can be tested yet: they name a command that stands for
 * the tests, where the files ask for one and none is set.
 */
export function withTestCommand(
  lines: readonly string[],
  files: readonly TemplateFile[],
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const archetypes = files.filter(({ path }) => path.startsWith('archetypes/'));
  const asked = archetypes.map(({ text }) => ASKS_TESTS.exec(text)?.[1]).find((name) => name !== undefined);
  return asked === undefined || environment[asked] ? lines : lines.map((line) => `${asked}=true ${line}`);
}

/** Whether an agent of the files is a program, which works in a copy of a git repository. */
export const runsPrograms = (files: readonly TemplateFile[]): boolean =>
  files.some(({ path, text }) => path.startsWith('archetypes/') && /^[ \t]*kind: harness[ \t]*$/m.test(text));

const REFERENCES = /\$\{([A-Z][A-Z0-9_]*)\}|\benv:([A-Z][A-Z0-9_]*)/g;

/**
 * Variables without which the workspace does not start, in the order they are named; those that are
 * set are left out.
 */
export function variablesToSet(
  files: readonly TemplateFile[],
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const text = files.find(({ path }) => WORKSPACE_FILES.some((name) => name === path))?.text ?? '';
  const names = [...text.matchAll(REFERENCES)].map((match) => match[1] ?? match[2] ?? '');
  return [...new Set(names)].filter((name) => !environment[name]);
}
