import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isKitError, KitError, messageOf } from '../domain/errors.js';
import type { Contribution, ContributionInfo, ExtensionPoints, LivePointId } from '../domain/extension-points.js';
import type { Json, JsonObject } from '../domain/json.js';
import { isObject } from '../lib/json.js';
import type { Within } from './guard.js';
import type { HostParts } from './host-parts.js';
import { fileInside } from './package-files.js';
import type { RegisteredContribution } from './registry.js';
import { isSecretVariable } from './secrets-names.js';
import { withTimeLimit } from './time-limit.js';

/** For import and for create, each. */
export const ACTIVATION_TIMEOUT_MS = 5 * 1000;

const loadFailed = (info: ContributionInfo, what: string, cause?: unknown): KitError =>
  new KitError('KIT_PLUGIN_LOAD_FAILED', `${info.id} of ${info.plugin} ${what}`, {
    data: { plugin: info.plugin, point: info.point, id: info.id },
    ...(cause === undefined ? {} : { cause }),
  });

function isContribution<P extends LivePointId>(value: unknown, point: P): value is Contribution<P> {
  if (typeof value !== 'object' || value === null) return false;
  const tagged: { readonly $$type?: unknown; readonly version?: unknown; readonly create?: unknown } = value;
  return tagged.$$type === `kit.${point}` && tagged.version === 1 && typeof tagged.create === 'function';
}

/** Code of kit's own plugins is kit's own. */
export const withinOf = ({ containment }: HostParts, { plugin }: RegisteredContribution): Within =>
  containment === undefined || plugin.origin === 'bundled'
    ? (work) => work()
    : (work) => containment.within(plugin.name, work);

/** Imports the module of a contribution: integrity first, then containment, then the tag. */
export async function importContribution<P extends LivePointId>(
  parts: HostParts,
  entry: RegisteredContribution,
  point: P,
): Promise<Contribution<P>> {
  const { info, plugin } = entry;
  if (plugin.origin !== 'bundled') await parts.verifyIntegrity(plugin);
  // One of kit's own may lie folded elsewhere: src/boot/module-map.ts knows where.
  const file =
    plugin.origin === 'bundled' ? join(plugin.root, entry.module) : await fileInside(plugin.root, entry.module);
  if (plugin.origin !== 'bundled') parts.containment?.begin();
  const within = withinOf(parts, entry);
  const importing = within(() => parts.importModule(pathToFileURL(file).href)).catch((error: unknown) => {
    throw loadFailed(info, `could not be imported: ${messageOf(error)}`, error);
  });
  const module = await withTimeLimit(parts.clock, ACTIVATION_TIMEOUT_MS, importing, () =>
    loadFailed(info, `did not load within ${ACTIVATION_TIMEOUT_MS} ms`),
  );
  const { contribution } = module;
  if (!isContribution(contribution, point))
    throw loadFailed(info, `exports no \`contribution\` made by the define function for ${point}`);
  return contribution;
}

/** The value at a dotted path of a configuration (`auth.credentials_ref`). */
const valueAt = (config: JsonObject, path: string): Json | undefined =>
  path
    .split('.')
    .reduce<Json | undefined>(
      (node, key) => (isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined),
      config,
    );

/**
 * The variables that the manifest names, and those that its configuration names in a key which the
 * manifest names.
 */
function declaredEnv({ env, envFromConfig }: RegisteredContribution, config: JsonObject): readonly string[] {
  const named = envFromConfig.map((path) => valueAt(config, path));
  return [...env, ...named.filter((name) => typeof name === 'string')];
}

/** `api_key_env: LLM_LOGIN`: the key of the configuration says that it is a secret. */
function secretEnv({ envFromConfig }: RegisteredContribution, config: JsonObject): readonly string[] {
  const named = envFromConfig.map((path) => (isSecretVariable(path, '') ? valueAt(config, path) : null));
  return named.filter((name) => typeof name === 'string');
}

/** Creates one instance with its configuration, under the same limit. */
export async function createInstance<P extends LivePointId>(
  parts: HostParts,
  entry: RegisteredContribution,
  made: { readonly contribution: Contribution<P>; readonly config: JsonObject; readonly signal: AbortSignal },
): Promise<ExtensionPoints[P]> {
  const { info, plugin } = entry;
  const context = {
    log: parts.log,
    clock: parts.clock,
    fetch: parts.fetch,
    outbound: parts.outbound,
    secrets: parts.secretsFor(info, declaredEnv(entry, made.config), secretEnv(entry, made.config)),
    vault: parts.vaultOf(plugin.name),
    signal: made.signal,
    plugin: { name: plugin.name, version: plugin.version },
  };
  const within = withinOf(parts, entry);
  const creating = within(async () => made.contribution.create(made.config, context)).catch((error: unknown) => {
    throw isKitError(error) ? error : loadFailed(info, `could not be created: ${messageOf(error)}`, error);
  });
  const instance: unknown = await withTimeLimit(parts.clock, ACTIVATION_TIMEOUT_MS, creating, () =>
    loadFailed(info, `was not created within ${ACTIVATION_TIMEOUT_MS} ms`),
  );
  if (typeof instance === 'object' && instance !== null) return instance as ExtensionPoints[P];
  throw loadFailed(info, 'was created as something that is no object');
}
