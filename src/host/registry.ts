import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../domain/errors.js';
import type { ContributionInfo, PointId } from '../domain/extension-points.js';
import type { JsonObject } from '../domain/json.js';
import type { ContributionManifest } from './manifest.js';
import { type PluginCandidate, type PluginProblem, registerPlugin } from './registration.js';

/** A contribution that may be resolved. */
export interface RegisteredContribution {
  readonly info: ContributionInfo;
  readonly module: string;
  readonly env: readonly string[];
  readonly envFromConfig: readonly string[];
  readonly plugin: PluginCandidate;
}

/** One plugin after registration; `problem` null = registered. */
export interface RegisteredPlugin {
  readonly plugin: PluginCandidate;
  readonly problem: PluginProblem | null;
  readonly contributions: readonly RegisteredContribution[];
}

function schemaOf(plugin: PluginCandidate, path: string | null): JsonObject | null {
  if (path === null) return null;
  const value: unknown = JSON.parse(readFileSync(join(plugin.root, path), 'utf8'));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object');
  return value as JsonObject; // parsed JSON
}

function entryOf(plugin: PluginCandidate, point: PointId, declared: ContributionManifest): RegisteredContribution {
  const { id, name, title, effects, module, env, envFromConfig, adapters } = declared;
  const files = adapters.map((path) => join(plugin.root, path));
  const mount = point === 'httpMounts' ? { prefix: declared.prefix, uses: declared.uses, tier: declared.tier } : null;
  const info = {
    point,
    id,
    name,
    title,
    plugin: plugin.name,
    effects,
    configSchema: schemaOf(plugin, declared.configSchema),
    adapters: files,
    ...(declared.keepsOriginal ? { keepsOriginal: true } : {}),
    mount,
  };
  return { info, module, env, envFromConfig, plugin };
}

function registerOne(plugin: PluginCandidate): RegisteredPlugin {
  const registration = registerPlugin(plugin);
  if (!registration.ok) return { plugin, problem: registration.problem, contributions: [] };
  try {
    const points = Object.entries(registration.manifest.contributes) as readonly [
      PointId,
      readonly ContributionManifest[],
    ][]; // keys were checked
    return {
      plugin,
      problem: null,
      contributions: points.flatMap(([point, list]) => list.map((declared) => entryOf(plugin, point, declared))),
    };
  } catch (error) {
    const message = `${plugin.name}: a configSchema cannot be read: ${messageOf(error)}`;
    return { plugin, problem: { code: 'KIT_PLUGIN_MANIFEST_INVALID', message }, contributions: [] };
  }
}

const keysOf = ({ info }: RegisteredContribution): readonly string[] =>
  [...new Set([info.id, info.name])].map((key) => `${info.point}/${key}`);

/**
 * Ids and YAML names that more than one plugin claims: key -> names of the plugins, bundled ones
 * first.
 */
function claims(plugins: readonly RegisteredPlugin[]): ReadonlyMap<string, readonly PluginCandidate[]> {
  const byKey = new Map<string, readonly PluginCandidate[]>();
  for (const { plugin, contributions } of plugins) {
    for (const key of contributions.flatMap(keysOf)) byKey.set(key, [...(byKey.get(key) ?? []), plugin]);
  }
  return byKey;
}

function duplicateOf(registered: RegisteredPlugin, byKey: ReturnType<typeof claims>): PluginProblem | null {
  for (const key of registered.contributions.flatMap(keysOf)) {
    const others = (byKey.get(key) ?? []).filter((plugin) => plugin !== registered.plugin);
    if (others.length > 0)
      return {
        code: 'KIT_PLUGIN_DUPLICATE_ID',
        message: `${key} is claimed by ${registered.plugin.name} and by ${others.map(({ name }) => name).join(', ')}`,
      };
  }
  return null;
}

/**
 * Registers all plugins without loading code. When two claim an id or name of a point, both reports
 * say so; a bundled one keeps it, and of two others neither has it: which of them would run must
 * not depend on the order of installing.
 */
export function registerAll(candidates: readonly PluginCandidate[]): readonly RegisteredPlugin[] {
  const plugins = candidates.map(registerOne);
  const byKey = claims(plugins);
  return plugins.map((registered) => {
    const duplicate = duplicateOf(registered, byKey);
    if (duplicate === null) return registered;
    const isKept = registered.plugin.origin === 'bundled';
    return { ...registered, problem: duplicate, contributions: isKept ? registered.contributions : [] };
  });
}
