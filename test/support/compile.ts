import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { WorkspaceDeps } from '../../src/app/load-workspace.js';
import {
  type CompileInput,
  type CompileResult,
  finishCompile,
  prepareCompile,
} from '../../src/compile/compile-workspace.js';
import type { SourceFile } from '../../src/domain/diagnostic.js';
import type { JsonObject } from '../../src/domain/json.js';
import { loadJsonSchemas } from '../../src/lib/json-schema.js';
import { nodeFiles } from '../../src/system/files.js';

const adapters = new URL('../../plugins/harness/adapters/', import.meta.url);

/** The adapters that the harness plugin brings. */
export const bundledSources = (): readonly SourceFile[] =>
  readdirSync(adapters).map((name) => ({
    path: name,
    text: readFileSync(fileURLToPath(new URL(name, adapters)), 'utf8'),
  }));

const harnessSchema = new URL('../../plugins/harness/schemas/harness.json', import.meta.url);

/** The executor that the harness plugin brings, with the schema of its configuration. */
export const bundledExecutors = (): ReadonlyMap<string, JsonObject> =>
  new Map([['harness', JSON.parse(readFileSync(harnessSchema, 'utf8')) as JsonObject]]);

const serverSchema = new URL('../../plugins/models/schemas/server.json', import.meta.url);

/** Some of the model providers that the models plugin brings. */
export const bundledProviders = (): WorkspaceDeps['modelProviders'] => [
  { id: 'kit.mock', name: 'mock', configSchema: null },
  { id: 'kit.rules', name: 'rules', configSchema: null },
  ...['openai-compatible', 'anthropic'].map((name) => ({
    id: `kit.${name}`,
    name,
    configSchema: JSON.parse(readFileSync(serverSchema, 'utf8')) as JsonObject,
  })),
];

const sinkSchema = (name: string): JsonObject =>
  JSON.parse(readFileSync(new URL(`../../plugins/sinks/schemas/${name}.json`, import.meta.url), 'utf8')) as JsonObject;

export const bundledSinks = (): NonNullable<WorkspaceDeps['eventSinks']> => [
  { id: 'kit.sink-webhook', name: 'webhook', configSchema: sinkSchema('post') },
  { id: 'kit.sink-channel', name: 'channel', configSchema: sinkSchema('chat') },
  { id: 'kit.sink-stdout', name: 'stdout', configSchema: sinkSchema('nothing') },
];

const triggerSchema = (name: string): JsonObject =>
  JSON.parse(
    readFileSync(fileURLToPath(new URL(`../../plugins/triggers/schemas/${name}.json`, import.meta.url)), 'utf8'),
  ) as JsonObject;

/** The trigger types that the triggers plugin brings, and one of somebody else. */
export const bundledTriggers = (): NonNullable<WorkspaceDeps['triggerTypes']> => [
  { id: 'kit.cron', name: 'cron', configSchema: triggerSchema('cron') },
  { id: 'kit.webhook', name: 'webhook', configSchema: triggerSchema('webhook') },
  { id: 'kit.file-watch', name: 'file_watch', configSchema: triggerSchema('file-watch') },
  { id: 'kit.manual', name: 'manual', configSchema: null },
  { id: 'acme.queue', name: 'acme-queue', configSchema: { type: 'object', required: ['topic'] } },
];

/** What a command passes to the use cases, with a given environment. */
export const deps = (environment: Readonly<Record<string, string>> = {}): WorkspaceDeps => ({
  files: nodeFiles,
  environment,
  adapterSources: bundledSources(),
  executors: bundledExecutors(),
  modelProviders: bundledProviders(),
  triggerTypes: bundledTriggers(),
});

export const WORKSPACE = 'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\n';

/** Path -> text; `workspace.yaml` is added when it is missing. */
export type Sources = Readonly<Record<string, string>>;

/**
 * Compiles a workspace given as text. Paths that are not an artifact serve as the files that
 * artifacts name.
 */
export async function compileSources(
  sources: Sources,
  environment: Readonly<Record<string, string>> = {},
  executors: CompileInput['executors'] = bundledExecutors(),
): Promise<CompileResult> {
  const all: Sources = {
    ...('workspace.yaml' in sources || 'workspace.json' in sources ? {} : { 'workspace.yaml': WORKSPACE }),
    ...sources,
  };
  const files = Object.entries(all).map(([path, text]): SourceFile => ({ path, text }));
  const properties = files.find((file) => file.path === 'workspace.env.yaml') ?? null;
  const prepared = prepareCompile({
    root: '/workspace',
    sources: files,
    propertyFile: properties,
    environment: (name) => environment[name],
    adapterSources: bundledSources(),
    executors,
    modelProviders: bundledProviders(),
    triggerTypes: bundledTriggers(),
    authProviders: ['none', 'api_key', 'jwt'],
    eventSinks: bundledSinks(),
    compressors: [{ id: 'acme.zip', name: 'acme' }],
    skillStrategies: [
      { id: 'acme.weigh', name: 'weigh' },
      { id: 'acme.draw', name: 'draw' },
    ],
    schemas: await loadJsonSchemas(),
  });
  return finishCompile(
    prepared,
    prepared.wanted.map((path) => ({ path, text: all[path] ?? null, outside: false })),
  );
}

/** `code path#pointer` of every error, in order. */
export const errorsOf = (result: CompileResult): readonly string[] =>
  result.diagnostics
    .filter((diagnostic) => diagnostic.severity === 'error')
    .map((diagnostic) => `${diagnostic.code} ${diagnostic.path}#${diagnostic.pointer}`);

/** The same of every warning. */
export const warningsOf = (result: CompileResult): readonly string[] =>
  result.diagnostics
    .filter((diagnostic) => diagnostic.severity === 'warning')
    .map((diagnostic) => `${diagnostic.code} ${diagnostic.path}#${diagnostic.pointer}`);
