import { join, resolve, sep } from 'node:path';
import type { CompileResult } from '../compile/compile-workspace.js';
import { isArtifactName, KIND_FOLDERS, propertyFileNames, WORKSPACE_FILES } from '../compile/discover/layout.js';
import { REMOVED_FOLDERS } from '../compile/discover/removed.js';
import type { References } from '../compile/interpolate/references.js';
import type { ReadFile } from '../compile/link/referenced-files.js';
import type { SourceFile } from '../domain/diagnostic.js';
import { KitError } from '../domain/errors.js';
import type { ContributionInfo } from '../domain/extension-points.js';
import type { JsonObject } from '../domain/json.js';
import type { Files } from '../domain/ports/system.js';
import type { Workspace } from '../domain/workspace.js';
import type { LoadSchemas } from '../lib/json-schema.js';
import { missingBinaries } from './validate/required-binaries.js';

/** What loading a workspace needs from outside. */
export interface WorkspaceDeps {
  readonly files: Files;
  /** The raw environment: for `${VAR}`, `KIT_ENV`, and the binaries that command packs require. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Adapter files that plugins bring (`contributes.executors[].adapters`), read by the host. */
  readonly adapterSources: readonly SourceFile[];
  /** `name` of every executor contribution, `harness` among them, with the schema of its `config`; null = it has none. */
  readonly executors: ReadonlyMap<string, JsonObject | null>;
  /** Every model provider contribution, with the schema of its configuration. */
  readonly modelProviders: readonly Pick<ContributionInfo, 'id' | 'name' | 'configSchema'>[];
  /** Who submits runs here unless somebody else is named (the OS user); null or absent = nobody is known. */
  readonly submitter?: string | null;
  /** A validator that others use too; default: one of its own. */
  readonly schemas?: LoadSchemas;
}

/** A compiled workspace with what a run needs beside it. */
export interface LoadedWorkspace {
  readonly workspace: Workspace;
  /** Warnings; errors would have thrown. */
  readonly diagnostics: CompileResult['diagnostics'];
  /** Resolves `${VAR}` in late-bound text (URLs, headers, environments, credentials) at the point of use. */
  readonly references: References;
}

/** Deeper than any legal artifact, so that misplaced ones are found and a loop of links ends. */
const MAX_DEPTH = 6;

interface Listing {
  readonly files: Files;
  /** Real path of the workspace. */
  readonly root: string;
}

const isInside = (root: string, path: string): boolean => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);

/** What is there and cannot be read would silently not count: it makes the workspace invalid. */
async function orInvalid<T>(path: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (cause) {
    throw new KitError('KIT_WORKSPACE_INVALID', `${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
      hint: 'Give yourself the right to read it, or move it out of the workspace.',
    });
  }
}

async function readSource(listing: Listing, path: string): Promise<SourceFile | null> {
  const full = join(listing.root, path);
  const real = await orInvalid(path, listing.files.realPath(full));
  // A link that leads out of the workspace is not followed: the file counts as absent.
  if (real === null || !isInside(listing.root, real)) return null;
  const text = await orInvalid(path, listing.files.readText(full));
  return text === null ? null : { path, text };
}

async function pathsBelow(listing: Listing, folder: string, depth: number): Promise<readonly string[]> {
  if (depth > MAX_DEPTH) return [];
  const entries = (await orInvalid(folder, listing.files.list(join(listing.root, folder)))) ?? [];
  const found = await Promise.all(
    entries.map((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.name.startsWith('.')) return [];
      if (entry.kind === 'directory') return pathsBelow(listing, path, depth + 1);
      return entry.kind === 'file' && isArtifactName(entry.name) ? [path] : [];
    }),
  );
  return found.flat();
}

async function readSources(listing: Listing, isWanted: (path: string) => boolean): Promise<readonly SourceFile[]> {
  const folders = [...KIND_FOLDERS.map((entry) => entry.folder), ...REMOVED_FOLDERS];
  const listed = await Promise.all(folders.map((folder) => pathsBelow(listing, folder, 0)));
  const sources = await Promise.all([...WORKSPACE_FILES, ...listed.flat().filter(isWanted)].map((path) => readSource(listing, path)));
  return sources.filter((source) => source !== null);
}

async function readPropertyFile(listing: Listing, kitEnv: string | null): Promise<SourceFile | null> {
  for (const name of propertyFileNames(kitEnv)) {
    const found = await readSource(listing, name);
    if (found !== null) return found;
  }
  return null;
}

async function readWanted(listing: Listing, path: string): Promise<ReadFile> {
  const full = join(listing.root, path);
  const real = await orInvalid(path, listing.files.realPath(full));
  if (real !== null && !isInside(listing.root, real)) return { path, text: null, outside: true };
  return { path, text: real === null ? null : await orInvalid(path, listing.files.readText(full)), outside: false };
}

/** A compilation with the text of every file that was read. */
export interface CompiledDirectory extends CompileResult {
  /** Real path of the workspace. */
  readonly root: string;
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * Compiles the workspace in a directory, whatever is found in it. `isWanted` leaves artifact files out, for a use case that only
 * concerns some of them.
 *
 * Throws KIT_WORKSPACE_NOT_FOUND for a path without one, KIT_WORKSPACE_INVALID for what cannot be read.
 */
export async function compileDirectory(
  directory: string,
  deps: WorkspaceDeps,
  isWanted: (path: string) => boolean = () => true,
): Promise<CompiledDirectory> {
  const root = await deps.files.realPath(resolve(directory));
  const listing = root === null ? null : await orInvalid(directory, deps.files.list(root));
  if (root === null || listing === null) throw new KitError('KIT_WORKSPACE_NOT_FOUND', `${directory} is no directory`);
  if (!listing.some((entry) => entry.kind === 'file' && WORKSPACE_FILES.some((name) => name === entry.name))) {
    throw new KitError('KIT_WORKSPACE_NOT_FOUND', `${directory} holds no workspace.yaml`);
  }
  // Parser and validators are heavy: they are loaded when a workspace is, not when the command line starts.
  const [{ finishCompile, prepareCompile }, { loadJsonSchemas }] = await Promise.all([
    import('../compile/entry.js'),
    import('../lib/json-schema.js'),
  ]);
  const place: Listing = { files: deps.files, root };
  const sources = await readSources(place, isWanted);
  const propertyFile = await readPropertyFile(place, deps.environment.KIT_ENV ?? null);
  const prepared = prepareCompile({
    root,
    sources,
    propertyFile,
    environment: (name) => deps.environment[name],
    adapterSources: deps.adapterSources,
    executors: deps.executors,
    modelProviders: deps.modelProviders,
    schemas: await (deps.schemas ?? loadJsonSchemas)(),
  });
  const wanted = await Promise.all(prepared.wanted.map((path) => readWanted(place, path)));
  const texts = [...sources, ...(propertyFile === null ? [] : [propertyFile])].map((source) => [source.path, source.text] as const);
  const compiled = finishCompile(prepared, wanted);
  const missing = compiled.linked === null ? [] : await missingBinaries(compiled.linked, deps);
  return {
    ...compiled,
    workspace: missing.length === 0 ? compiled.workspace : null,
    diagnostics: [...compiled.diagnostics, ...missing],
    root,
    sources: new Map(texts),
  };
}

/**
 * Loads a workspace for a command that runs it.
 *
 * Throws KIT_WORKSPACE_NOT_FOUND (exit 2) for a path without a workspace, and KIT_WORKSPACE_INVALID (exit 1) with
 * `data.diagnostics` when anything in it is an error; KIT_PROVIDER_INVALID (exit 2) when model providers alone are wrong.
 */
export async function loadWorkspace(directory: string, deps: WorkspaceDeps): Promise<LoadedWorkspace> {
  const { workspace, diagnostics, references } = await compileDirectory(directory, deps);
  if (workspace === null) {
    const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
    const first = errors[0];
    const place = first === undefined ? '' : `: ${first.path}: ${first.message}`;
    // A provider decides whom a run talks to: a start with a wrong one is refused like one with an unknown one.
    const code = errors.length > 0 && errors.every((error) => error.code.startsWith('provider.')) ? 'KIT_PROVIDER_INVALID' : 'KIT_WORKSPACE_INVALID';
    throw new KitError(code, `the workspace has ${errors.length} ${errors.length === 1 ? 'error' : 'errors'}${place}`, {
      data: { diagnostics },
    });
  }
  return { workspace, diagnostics, references };
}
