import type { Diagnostic, SourceFile } from '../domain/diagnostic.js';
import type { JsonObject } from '../domain/json.js';
import type { Workspace } from '../domain/workspace.js';
import type { Lookup } from '../lib/interpolate-text.js';
import type { JsonSchemas } from '../lib/json-schema.js';
import { bundledAdapters } from './builtin/load-adapters.js';
import { discover } from './discover/discover.js';
import { parseFiles } from './discover/parse-files.js';
import type { Document } from './document.js';
import { interpolateDocument } from './interpolate/interpolate.js';
import { NO_PROPERTIES, type Properties, readProperties } from './interpolate/properties.js';
import { makeReferences, type References } from './interpolate/references.js';
import { notYetUses } from './keys/not-yet-uses.js';
import type { ExecutorCatalogue } from './link/executor.js';
import { type Linked, link, toWorkspace } from './link/link-workspace.js';
import { type ReadFile, referencedFile, referencedPaths } from './link/referenced-files.js';
import { type Art, buildRegistries } from './link/registries.js';
import { credentialEntries, storageSettings } from './link/workspace-config.js';
import { maskDiagnostics, textMask } from './mask-diagnostics.js';
import { parseSource } from './parse/parse-source.js';
import { makeReport } from './report.js';
import { checkAll } from './rules/all-rules.js';
import type { ProviderFacts } from './rules/model-providers.js';
import { checkSchema } from './schema/check-schema.js';

// The folded module has the exports of this file alone.
export { credentialEntries, storageSettings };

export interface CompileInput {
  /** Absolute directory of the workspace; only carried. */
  readonly root: string;
  /** Every file of the kind folders and the workspace file, with workspace-relative paths. */
  readonly sources: readonly SourceFile[];
  /** The one property file that holds (artifacts.md 2.5); null = none. */
  readonly propertyFile: SourceFile | null;
  readonly environment: Lookup;
  /** Adapter files that plugins bring. */
  readonly adapterSources: readonly SourceFile[];
  /** Every executor contribution, `harness` among them: name -> schema of its `config`; null = it has none. */
  readonly executors: ReadonlyMap<string, JsonObject | null>;
  /** Every model provider contribution. */
  readonly modelProviders: readonly ProviderFacts[];
  readonly schemas: Pick<JsonSchemas, 'checkDocument' | 'validate'>;
}

/** The first half: everything up to the schema phase. The caller reads `wanted` and goes on with `finishCompile`. */
export interface Prepared {
  readonly input: CompileInput;
  readonly references: References;
  /** Null as soon as a phase found an error: the next phase would only report its echoes. */
  readonly artifacts: readonly Art[] | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Workspace-relative files that artifacts name. */
  readonly wanted: readonly string[];
  /** Values that must not be shown. */
  readonly secrets: readonly string[];
}

export interface CompileResult {
  /** Null when anything is an error. */
  readonly workspace: Workspace | null;
  /** Phase order, then discovery order; values of secrets are masked. */
  readonly diagnostics: readonly Diagnostic[];
  /** Resolves late-bound text of this workspace (`${VAR}` in URLs, headers, environments, credentials) at the point of use. */
  readonly references: References;
  /** Takes the values of secrets out of a text that is shown: also a name or a command line may have been built from one. */
  readonly mask: (text: string) => string;
  readonly linked: Linked | null;
}

const hasErrors = (diagnostics: readonly Diagnostic[]): boolean => diagnostics.some((diagnostic) => diagnostic.severity === 'error');

function loadProperties(file: SourceFile | null, environment: Lookup): Properties {
  if (file === null) return NO_PROPERTIES;
  const { parsed, diagnostics } = parseSource(file);
  if (parsed !== null) return readProperties(parsed, environment);
  // An empty property file is no mistake; one that cannot be read is: its names would silently fall back to the environment.
  if (file.text.replace(/^\s*#.*$/gm, '').trim() === '') return NO_PROPERTIES;
  return { ...NO_PROPERTIES, diagnostics: diagnostics.map((diagnostic) => ({ ...diagnostic, code: 'interpolation.bad-properties' })) };
}

interface Judged {
  readonly artifacts: readonly Art[];
  readonly diagnostics: readonly Diagnostic[];
  readonly names: ReadonlySet<string>;
}

/** Interpolates, then judges by the schema: `permission: ${TIER}` is checked with its real value. */
function judge(documents: readonly Document[], references: References): Judged {
  const artifacts: Art[] = [];
  const diagnostics: Diagnostic[] = [];
  const names = new Set<string>();
  for (const document of documents) {
    const interpolated = interpolateDocument(document, references);
    for (const name of interpolated.names) names.add(name);
    diagnostics.push(...interpolated.diagnostics, ...checkSchema(document.kind, interpolated.value, document));
    const { kind, source, spanOf, keySpanOf } = document;
    artifacts.push({ kind, path: source.path, value: interpolated.linked, raw: document.value, source, spanOf, keySpanOf });
  }
  return { artifacts, diagnostics, names };
}

/** Discovers, parses, interpolates and schema-checks. Pure; all problems of a phase at once, none of the next. */
export function prepareCompile(input: CompileInput): Prepared {
  const discovery = discover(input.sources);
  const parsed = parseFiles(discovery.files);
  const properties = loadProperties(input.propertyFile, input.environment);
  const references = makeReferences(properties, input.environment);
  const first = [...discovery.diagnostics, ...parsed.diagnostics, ...properties.diagnostics];
  if (hasErrors(first)) return { input, references, artifacts: null, diagnostics: first, wanted: [], secrets: [] };
  const judged = judge(parsed.documents, references);
  const secrets = references.secretValues(judged.names);
  const diagnostics = [...first, ...judged.diagnostics];
  if (hasErrors(diagnostics)) return { input, references, artifacts: null, diagnostics, wanted: [], secrets };
  return { input, references, artifacts: judged.artifacts, diagnostics, wanted: referencedPaths(judged.artifacts), secrets };
}

const schemaProblem = (schemas: CompileInput['schemas'], schema: JsonObject): string | null => {
  const issue = schemas.checkDocument(schema)[0];
  return issue === undefined ? null : `${issue.message}${issue.pointer === '' ? '' : ` (${issue.pointer})`}`;
};

function executorCatalogue(input: CompileInput, adapters: ReadonlyMap<string, Art>): ExecutorCatalogue {
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
  const { input, references, artifacts } = prepared;
  const mask = textMask(prepared.secrets);
  const config = artifacts?.find((artifact) => artifact.kind === 'Workspace');
  if (artifacts === null || config === undefined) {
    return { workspace: null, diagnostics: maskDiagnostics(prepared.diagnostics, prepared.secrets), references, mask, linked: null };
  }
  const report = makeReport();
  const registries = buildRegistries(config, artifacts, report);
  const linked = link({
    registries,
    catalogue: executorCatalogue(input, registries.adapters),
    files: new Map(files.map((file) => [file.path, referencedFile(file)])),
    tools: { schemaProblem: (schema) => schemaProblem(input.schemas, schema) },
    report,
  });
  checkAll(linked, { modelProviders: input.modelProviders, configIssues: (schema, config) => input.schemas.validate(schema, config) }, report);
  const diagnostics = maskDiagnostics([...prepared.diagnostics, ...report.diagnostics], prepared.secrets);
  const workspace = hasErrors(diagnostics) ? null : { ...toWorkspace(input.root, linked), notYet: notYetUses(linked) };
  return { workspace, diagnostics, references, mask, linked };
}
