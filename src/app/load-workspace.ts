import type { CompileResult } from '../compile/compile-workspace.js';
import type { References } from '../compile/interpolate/references.js';
import type { SourceFile } from '../domain/diagnostic.js';
import { KitError } from '../domain/errors.js';
import type { ContributionInfo, PluginHost } from '../domain/extension-points.js';
import type { JsonObject } from '../domain/json.js';
import type { Files } from '../domain/ports/system.js';
import type { Workspace } from '../domain/workspace.js';
import type { LoadSchemas } from '../lib/json-schema.js';
import { type InstalledSince, withInstalled } from './installed-since.js';
import type { KnowledgeSources } from './knowledge/prepare-knowledge.js';
import { missingBinaries } from './validate/required-binaries.js';
import { openWorkspaceFiles, readPropertyFile, readSources, readWanted } from './workspace-files.js';

/** What loading a workspace needs from outside. */
export interface WorkspaceDeps extends InstalledSince {
  readonly files: Files;
  /** The raw environment: for `${VAR}`, `KIT_ENV`, and the binaries that command packs require. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Adapter files that plugins bring (`contributes.executors[].adapters`), read by the host. */
  readonly adapterSources: readonly SourceFile[];
  /**
   * `name` of every executor contribution, `harness` among them, with the schema of its `config`;
   * null = it has none.
   */
  readonly executors: ReadonlyMap<string, JsonObject | null>;
  /** Every model provider contribution, with the schema of its configuration. */
  readonly modelProviders: readonly Pick<ContributionInfo, 'id' | 'name' | 'configSchema'>[];
  /** Names of every auth provider contribution; absent = not known, and none is missed. */
  readonly authProviders?: readonly string[];
  /** Every event sink contribution; absent = not known, and none is missed. */
  readonly eventSinks?: readonly Pick<ContributionInfo, 'id' | 'name' | 'configSchema'>[];
  /** Every compressor contribution; absent = not known, and none is missed. */
  readonly compressors?: readonly Pick<ContributionInfo, 'id' | 'name'>[];
  /** Every contribution to `skillStrategies`; absent = not known, and none is missed. */
  readonly skillStrategies?: readonly Pick<ContributionInfo, 'id' | 'name'>[];
  /**
   * Every trigger type that a plugin contributes, with the schema of its configuration; absent =
   * not known, and none is missed.
   */
  readonly triggerTypes?: readonly Pick<ContributionInfo, 'id' | 'name' | 'configSchema'>[];
  /**
   * Contributions that may ask for the credentials of this workspace, let go when they were asked;
   * absent = no type is asked about its triggers.
   */
  readonly openPlugins?: (
    workspace: Workspace,
    lookup: References['lookup'],
  ) => Promise<Pick<PluginHost, 'resolve' | 'find' | 'dispose'>>;
  /**
   * What documents of knowledge bases are read with, asked for where there are some; absent = they
   * are not looked at.
   */
  readonly openDocuments?: () => Promise<Pick<KnowledgeSources, 'pdfPages' | 'cache'>>;
  /**
   * Who submits runs here unless somebody else is named (the OS user); null or absent = nobody is
   * known.
   */
  readonly submitter?: string | null;
  /** A validator that others use too; default: one of its own. */
  readonly schemas?: LoadSchemas;
}

/** A compiled workspace with what a run needs beside it. */
export interface LoadedWorkspace {
  readonly workspace: Workspace;
  /** Warnings; errors would have thrown. */
  readonly diagnostics: CompileResult['diagnostics'];
  /**
   * Resolves `${VAR}` in late-bound text (URLs, headers, environments, credentials) at the point of
   * use.
   */
  readonly references: References;
  /** Every name that stands in a `${...}` of an artifact. */
  readonly names: ReadonlySet<string>;
}

/** A compilation with the text of every file that was read. */
export interface CompiledDirectory extends CompileResult {
  /** Real path of the workspace. */
  readonly root: string;
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * Compiles the workspace in a directory, whatever is found in it. `isWanted` leaves artifact files
 * out, for a use case that only concerns some of them.
 *
 * Throws KIT_WORKSPACE_NOT_FOUND for a path without one, KIT_WORKSPACE_INVALID for what cannot be
 * read.
 */
export async function compileDirectory(
  directory: string,
  deps: WorkspaceDeps,
  isWanted: (path: string) => boolean = () => true,
): Promise<CompiledDirectory> {
  const place = await openWorkspaceFiles(directory, deps.files);
  const { root } = place;
  // Parser and validators are heavy: they are loaded when a workspace is, not when the command line
  // starts.
  const [{ finishCompile, prepareCompile }, { loadJsonSchemas }] = await Promise.all([
    import('../compile/compile-workspace.js'),
    import('../lib/json-schema.js'),
  ]);
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
    ...(deps.authProviders === undefined ? {} : { authProviders: deps.authProviders }),
    ...(deps.eventSinks === undefined ? {} : { eventSinks: deps.eventSinks }),
    ...(deps.skillStrategies === undefined ? {} : { skillStrategies: deps.skillStrategies }),
    ...(deps.compressors === undefined ? {} : { compressors: deps.compressors }),
    ...(deps.triggerTypes === undefined ? {} : { triggerTypes: deps.triggerTypes }),
    schemas: await (deps.schemas ?? loadJsonSchemas)(),
  });
  const wanted = await Promise.all(prepared.wanted.map((path) => readWanted(place, path)));
  const texts = [...sources, ...(propertyFile === null ? [] : [propertyFile])].map(
    (source) => [source.path, source.text] as const,
  );
  const compiled = finishCompile(prepared, wanted);
  const missing = compiled.linked === null ? [] : await missingBinaries(compiled.linked, deps);
  return {
    ...compiled,
    workspace: missing.length === 0 ? compiled.workspace : null,
    diagnostics: [...(await withInstalled(compiled.diagnostics, deps)), ...missing],
    root,
    sources: new Map(texts),
  };
}

/**
 * Loads a workspace for a command that runs it.
 *
 * Throws KIT_WORKSPACE_NOT_FOUND (exit 2) for a path without a workspace, and KIT_WORKSPACE_INVALID
 * (exit 1) with `data.diagnostics` when anything in it is an error; KIT_PROVIDER_INVALID (exit 2)
 * when model providers alone are wrong.
 */
export async function loadWorkspace(directory: string, deps: WorkspaceDeps): Promise<LoadedWorkspace> {
  const { workspace, diagnostics, references, names } = await compileDirectory(directory, deps);
  if (workspace === null) {
    const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
    const first = errors[0];
    const place = first === undefined ? '' : `: ${first.path}: ${first.message}`;
    // A provider decides whom a run talks to: a start with a wrong one is refused like one with an
    // unknown one.
    const code =
      errors.length > 0 && errors.every((error) => error.code.startsWith('provider.'))
        ? 'KIT_PROVIDER_INVALID'
        : 'KIT_WORKSPACE_INVALID';
    throw new KitError(code, `the workspace has ${errors.length} ${errors.length === 1 ? 'error' : 'errors'}${place}`, {
      data: { diagnostics },
    });
  }
  return { workspace, diagnostics, references, names };
}
