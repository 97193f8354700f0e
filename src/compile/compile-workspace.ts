import type { Diagnostic, SourceFile } from '../domain/diagnostic.js';
import type { JsonObject } from '../domain/json.js';
import type { Workspace } from '../domain/workspace.js';
import type { Lookup } from '../lib/interpolate-text.js';
import type { JsonIssue, JsonSchemas } from '../lib/json-schema.js';
import { mapTexts } from '../lib/map-texts.js';
import { bundledAdapters } from './builtin/load-adapters.js';
import { hasErrors } from './diagnostics/sort.js';
import { discover } from './discover/discover.js';
import type { References } from './interpolate/references.js';
import { executorConfigUses } from './keys/executor-config-uses.js';
import type { ExecutorCatalogue } from './link/executor.js';
import { type Linked, link, toWorkspace } from './link/link-workspace.js';
import { type ReadFile, referencedFile, referencedPaths } from './link/referenced-files.js';
import { buildRegistries, ofKind, type Registries } from './link/registries.js';
import { auditRetentionDays, credentialEntries, pruneEveryHours, storageSettings } from './link/workspace-config.js';
import { maskDiagnostics, textMask } from './mask-diagnostics.js';
import { type ReadArtifacts, readArtifacts } from './read-artifacts.js';
import { makeReport } from './report.js';
import { checkAll } from './rules/all-rules.js';
import type { CompressorFacts } from './rules/compression.js';
import type { SinkFacts } from './rules/event-sinks.js';
import type { ProviderFacts } from './rules/model-providers.js';
import type { StrategyFacts } from './rules/strategies.js';

// The folded module has the exports of this file alone.
export { compileRoles } from './compile-roles.js';
export { looksSecret } from './interpolate/references.js';
export { maskDiagnostics } from './mask-diagnostics.js';
export { loadProperties } from './read-artifacts.js';
export { auditRetentionDays, credentialEntries, ofKind, pruneEveryHours, storageSettings };

export interface CompileInput {
  /** Absolute directory of the workspace; only carried. */
  readonly root: string;
  /** Every file of the kind folders and the workspace file, with workspace-relative paths. */
  readonly sources: readonly SourceFile[];
  /** The one property file that holds (docs/design/workspace.md#interpolation); null = none. */
  readonly propertyFile: SourceFile | null;
  readonly environment: Lookup;
  /** Adapter files that plugins bring. */
  readonly adapterSources: readonly SourceFile[];
  /**
   * Every executor contribution, `harness` among them: name -> schema of its `config`; null = it
   * has none.
   */
  readonly executors: ReadonlyMap<string, JsonObject | null>;
  /** Every model provider contribution. */
  readonly modelProviders: readonly ProviderFacts[];
  /** Names of every auth provider contribution; absent = not known here, and none is missed. */
  readonly authProviders?: readonly string[];
  /** Every event sink contribution; absent = not known here, and none is missed. */
  readonly eventSinks?: readonly SinkFacts[];
  /** Every compressor contribution; absent = not known, and none is missed. */
  readonly compressors?: readonly CompressorFacts[];
  /** Every contribution to `skillStrategies`; absent = not known, and none is missed. */
  readonly skillStrategies?: readonly StrategyFacts[];
  /** Every trigger type that a plugin contributes; absent = not known here, and none is missed. */
  readonly triggerTypes?: readonly ProviderFacts[];
  readonly schemas: Pick<JsonSchemas, 'checkDocument' | 'validate'>;
}

/**
 * The first half: everything up to the schema phase. The caller reads `wanted` and goes on with
 * `finishCompile`.
 */
export interface Prepared extends ReadArtifacts {
  readonly input: CompileInput;
  /** Workspace-relative files that artifacts name. */
  readonly wanted: readonly string[];
}

export interface CompileResult {
  /** Null when anything is an error. */
  readonly workspace: Workspace | null;
  /** Phase order, then discovery order; values of secrets are masked. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Resolves late-bound text of this workspace (`${VAR}` in URLs, headers, environments,
   * credentials) at the point of use.
   */
  readonly references: References;
  /** Every name that stands in a `${...}` of an artifact. */
  readonly names: ReadonlySet<string>;
  /**
   * Takes the values of secrets out of a text that is shown: also a name or a command line may have
   * been built from one.
   */
  readonly mask: (text: string) => string;
  readonly linked: Linked | null;
}

/**
 * Discovers, parses, interpolates and schema-checks. Pure; all problems of a phase at once, none of
 * the next.
 */
export function prepareCompile(input: CompileInput): Prepared {
  const read = readArtifacts(discover(input.sources), input);
  return { input, ...read, wanted: read.artifacts === null ? [] : referencedPaths(read.artifacts) };
}

function executorCatalogue(input: CompileInput, adapters: Registries['adapters']): ExecutorCatalogue {
  return {
    adapters: new Map([...bundledAdapters(input.adapterSources), ...adapters]),
    pluginKinds: new Set([...input.executors.keys()].filter((name) => name !== 'harness')),
    configIssues: (executor, config) => {
      const schema = input.executors.get(executor) ?? null;
      return schema === null ? [] : input.schemas.validate(schema, config);
    },
  };
}

/** Links and applies every rule. `files` holds what the caller found at `prepared.wanted`. */
export function finishCompile(prepared: Prepared, files: readonly ReadFile[]): CompileResult {
  const { input, references, artifacts, names } = prepared;
  const mask = textMask(prepared.secrets);
  const [config] = ofKind(artifacts ?? [], 'Workspace');
  if (artifacts === null || config === undefined) {
    return {
      workspace: null,
      diagnostics: maskDiagnostics(prepared.diagnostics, prepared.secrets),
      references,
      names,
      mask,
      linked: null,
    };
  }
  const report = makeReport();
  const registries = buildRegistries(config, artifacts, report);
  const linked = link({
    registries,
    catalogue: executorCatalogue(input, registries.adapters),
    files: new Map(files.map((file) => [file.path, referencedFile(file)])),
    tools: { schemaProblem: (schema) => input.schemas.checkDocument(schema)[0] ?? null },
    report,
  });
  const configIssues = (schema: JsonObject, config: JsonObject): readonly JsonIssue[] =>
    input.schemas.validate(schema, config);
  const facts = {
    modelProviders: input.modelProviders,
    authProviders: input.authProviders ?? null,
    eventSinks: input.eventSinks ?? null,
    compressors: input.compressors ?? null,
    skillStrategies: input.skillStrategies ?? null,
    triggerTypes: input.triggerTypes ?? null,
    configIssues,
  };
  checkAll(linked, facts, report);
  const diagnostics = maskDiagnostics([...prepared.diagnostics, ...report.diagnostics], prepared.secrets);
  const workspace = hasErrors(diagnostics)
    ? null
    : { ...withShownLabels(toWorkspace(input.root, linked), mask), notYet: executorConfigUses(linked) };
  return { workspace, diagnostics, references, names, mask, linked };
}

/** Labels are there to be shown: the value of a secret in one is taken out once, here. */
function withShownLabels<T extends Pick<Workspace, 'organisation' | 'team' | 'annotations'>>(
  workspace: T,
  mask: (text: string) => string,
): T {
  const { organisation, team, annotations } = workspace;
  return { ...workspace, ...mapTexts({ organisation, team, annotations }, mask) };
}
