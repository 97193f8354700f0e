import { basename, extname } from 'node:path';
import { BUNDLED_PROVIDERS, PROVIDER_FAMILIES } from '../../compile/builtin/provider-families.js';
import { codedProviders } from '../../compile/link/coded-providers.js';
import type { Linked } from '../../compile/link/link-workspace.js';
import type { Diagnostic } from '../../domain/diagnostic.js';
import { KitError } from '../../domain/errors.js';
import type { PluginHost } from '../../domain/extension-points.js';
import { type CompiledDirectory, compileDirectory, type WorkspaceDeps } from '../load-workspace.js';
import { providerCalled } from './provider-called.js';
import { type Found, ofBundled, ofEntry, ofFile, ofPlugin, unreadable } from './provider-details.js';
import type { ProviderDetails, ProviderList } from './providers-app.js';

/** What the use cases look at besides the files. */
export interface ListDeps extends WorkspaceDeps {
  readonly plugins: Pick<PluginHost, 'find' | 'list'>;
  /** True when an environment variable is set and not empty. */
  readonly isSet: (name: string) => boolean;
}

/**
 * See `ProvidersApp.list`. A file that cannot be read is a row with its reason, and does not hide
 * the others.
 */
export async function listProviders(directory: string, deps: ListDeps): Promise<ProviderList> {
  const { linked, diagnostics } = await compileProviders(directory, deps);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const found: Found = {
    plugins: deps.plugins,
    isSet: deps.isSet,
    registry: linked.registries.providers,
    reasonOf: (path) => reasonAt(errors, path),
  };
  const files = [...linked.registries.providers].map(([id, { path }]) => ofFile(found, { id, path }));
  const broken = brokenFiles(errors, new Set(files.map(({ path }) => path))).map((path) =>
    unreadable(found, { path, id: idOfPath(path) }),
  );
  const config = linked.registries.config;
  const entries = codedProviders(config.value).map((entry, index) =>
    ofEntry(found, { entry, path: config.path, reason: reasonOfEntry(errors, index) }),
  );
  const own = [...files, ...broken, ...entries];
  const taken = new Set(own.map(({ id }) => id));
  const bundled = BUNDLED_PROVIDERS.filter(({ id }) => !taken.has(id)).map(({ id }) => ofBundled(found, id));
  const known = new Set([...taken, ...bundled.map(({ id }) => id), ...PROVIDER_FAMILIES.map(({ name }) => name)]);
  const plugins = deps.plugins.list('modelProviders').filter(({ name }) => !known.has(name));
  return { providers: [...own, ...bundled, ...plugins.map(ofPlugin)] };
}

/** See `ProvidersApp.show`. */
export async function showProvider(directory: string, id: string, deps: ListDeps): Promise<ProviderDetails> {
  const { providers } = await listProviders(directory, deps);
  return providerCalled(id, providers);
}

interface Compiled {
  readonly linked: Linked;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compiles workspace.yaml and the provider files alone: a mistake in a topology is not one of a
 * provider.
 */
async function compileProviders(directory: string, deps: ListDeps): Promise<Compiled> {
  const isProvider = (path: string): boolean => path.startsWith('providers/');
  const first = await compileDirectory(directory, deps, isProvider);
  if (first.linked !== null) return { linked: first.linked, diagnostics: first.diagnostics };
  // A file that breaks the schema ends the compilation before anything is linked: the others are
  // linked without it.
  const broken = new Set(first.diagnostics.filter(({ severity }) => severity === 'error').map(({ path }) => path));
  const second: CompiledDirectory = await compileDirectory(
    directory,
    deps,
    (path) => isProvider(path) && !broken.has(path),
  );
  if (second.linked !== null)
    return { linked: second.linked, diagnostics: [...first.diagnostics, ...second.diagnostics] };
  const problem = second.diagnostics.find(({ severity }) => severity === 'error');
  throw new KitError(
    'KIT_WORKSPACE_INVALID',
    `${problem?.path ?? 'workspace.yaml'}: ${problem?.message ?? 'cannot be read'}`,
    {
      data: { diagnostics: second.diagnostics },
    },
  );
}

function reasonAt(errors: readonly Diagnostic[], path: string): string | null {
  return errors.find((error) => error.path === path)?.message ?? null;
}

function reasonOfEntry(errors: readonly Diagnostic[], index: number): string | null {
  const at = `/model_providers/${index}`;
  return errors.find(({ pointer }) => pointer === at || pointer.startsWith(`${at}/`))?.message ?? null;
}

const brokenFiles = (errors: readonly Diagnostic[], listed: ReadonlySet<string | null>): readonly string[] => [
  ...new Set(errors.map(({ path }) => path).filter((path) => path.startsWith('providers/') && !listed.has(path))),
];

const idOfPath = (path: string): string => basename(path, extname(path));
