import { join } from 'node:path';
import { propertyFileNames, WORKSPACE_FILES } from '../../compile/discover/layout.js';
import type { SourceFile } from '../../domain/diagnostic.js';
import { KitError } from '../../domain/errors.js';
import type { Files } from '../../domain/ports/system.js';
import type { StorageSettings } from '../../domain/storage-settings.js';
import type { CredentialEntry } from '../../domain/workspace.js';
import { interpolateText, type Lookup } from '../../lib/interpolate-text.js';
import type { StorageEnvironment } from './storage-environment.js';

/** What is read of a workspace that nobody compiles. */
export interface ReadStorageDeps {
  readonly files: Pick<Files, 'readText'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface ReadStorage {
  readonly settings: StorageSettings;
  readonly resolve: StorageEnvironment['resolve'];
  /**
   * Entries of `credentials`: an artifact store may need some. None where the file never says
   * `storage`.
   */
  readonly credentials: ReadonlyMap<string, CredentialEntry>;
  readonly lookup: Lookup;
  /** `storage.audit.retention_days`; null = the file does not say. */
  readonly auditRetentionDays: number | null;
  /** `storage.audit.prune_every_hours`; null = the file does not say. */
  readonly pruneEveryHours: number | null;
}

/** What a file says that never speaks of storage. */
export const NO_STORAGE: StorageSettings = {
  runtime: null,
  checkpoints: null,
  audit: null,
  artifacts: null,
  memory: null,
  fleet: null,
  knowledgeBases: null,
};

/**
 * Reads the place of the runs from workspace.yaml alone, for commands that work while other
 * artifacts are broken. The file and its properties go through the compiler as ever; a file that
 * never says `storage` is not even parsed, so it may be broken too.
 *
 * A name that nothing defines is not an error here: whoever resolves the setting with it is told,
 * and the other settings can be read.
 *
 * Throws KIT_WORKSPACE_NOT_FOUND for a directory without a workspace, KIT_WORKSPACE_INVALID when
 * the file says `storage` and has an error: a guess could open the wrong store.
 */
export async function readStorage(directory: string, deps: ReadStorageDeps): Promise<ReadStorage> {
  const source = await firstOf(directory, WORKSPACE_FILES, deps);
  if (source === null) throw new KitError('KIT_WORKSPACE_NOT_FOUND', `${directory} holds no workspace.yaml`);
  const environment: Lookup = (name) => deps.environment[name];
  if (!source.text.includes('storage')) {
    return {
      settings: NO_STORAGE,
      resolve: (text) => interpolateText(text, environment),
      credentials: new Map(),
      lookup: environment,
      auditRetentionDays: null,
      pruneEveryHours: null,
    };
  }
  const [
    {
      auditRetentionDays,
      credentialEntries,
      maskDiagnostics,
      ofKind,
      prepareCompile,
      pruneEveryHours,
      storageSettings,
    },
    { loadJsonSchemas },
  ] = await Promise.all([import('../../compile/compile-workspace.js'), import('../../lib/json-schema.js')]);
  const prepared = prepareCompile({
    root: directory,
    sources: [source],
    propertyFile: await firstOf(directory, propertyFileNames(deps.environment.KIT_ENV ?? null), deps),
    environment,
    adapterSources: [],
    executors: new Map(),
    modelProviders: [],
    schemas: await loadJsonSchemas(),
  });
  const { fitting, references } = prepared;
  const [found] = ofKind(fitting, 'Workspace');
  if (found === undefined) {
    const diagnostics = maskDiagnostics(prepared.diagnostics, prepared.secrets);
    const first = diagnostics.find((diagnostic) => diagnostic.severity === 'error');
    throw new KitError(
      'KIT_WORKSPACE_INVALID',
      `${source.path} says where runs are kept and has an error: ${first?.message ?? 'it cannot be read'}`,
      {
        data: { diagnostics },
      },
    );
  }
  return {
    settings: storageSettings(found.value),
    resolve: (text) => references.resolve(text),
    credentials: credentialEntries(found.value),
    lookup: references.lookup,
    auditRetentionDays: auditRetentionDays(found.value),
    pruneEveryHours: pruneEveryHours(found.value),
  };
}

async function firstOf(
  directory: string,
  names: readonly string[],
  { files }: ReadStorageDeps,
): Promise<SourceFile | null> {
  for (const path of names) {
    const text = await files.readText(join(directory, path));
    if (text !== null) return { path, text };
  }
  return null;
}
