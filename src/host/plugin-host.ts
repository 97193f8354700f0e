import { KitError } from '../domain/errors.js';
import type {
  ContributionInfo,
  ExtensionPoints,
  LivePointId,
  PluginHost,
  PluginReport,
  PointId,
} from '../domain/extension-points.js';
import type { JsonObject } from '../domain/json.js';
import { hintForMissing, installedSince, START_AGAIN, START_AGAIN_HINT } from '../domain/missing-contribution.js';
import { canonicalJson } from '../lib/canonical-json.js';
import { issueText } from '../lib/json-pointer.js';
import { type JsonSchemas, loadJsonSchemas } from '../lib/json-schema.js';
import { hintFor } from '../lib/nearest.js';
import { fitsEmpty } from '../lib/plain-schema.js';
import { createActivations } from './activations.js';
import type { HostParts } from './host-parts.js';
import type { PluginCandidate } from './registration.js';
import { type RegisteredContribution, type RegisteredPlugin, registerAll } from './registry.js';

export type { HostParts } from './host-parts.js';
export type { PluginCandidate, PluginProblem } from './registration.js';

const matches = (info: ContributionInfo, point: PointId, idOrName: string): boolean =>
  info.point === point && (info.id === idOrName || info.name === idOrName);

function unknown(
  { point, idOrName, later }: { readonly point: PointId; readonly idOrName: string; readonly later: string | null },
  plugins: readonly RegisteredPlugin[],
): KitError {
  const rejected = plugins
    .filter(({ problem }) => problem !== null)
    .map(({ plugin, problem }) => `${plugin.name} (${problem?.code})`);
  const known = plugins
    .flatMap(({ contributions }) => contributions)
    .flatMap(({ info }) => (info.point === point ? [info.name, info.id] : []));
  const note = rejected.length === 0 ? '' : `; rejected plugins: ${rejected.join(', ')}`;
  const message = `no plugin contributes ${idOrName} to ${point}${note}`;
  const data = { point, id: idOrName };
  if (later !== null)
    return new KitError('KIT_PLUGIN_UNKNOWN', `${message}; ${installedSince(later)}: ${START_AGAIN}`, {
      hint: START_AGAIN_HINT,
      data,
    });
  return new KitError('KIT_PLUGIN_UNKNOWN', message, {
    hint: hintFor(idOrName, known, { fallback: hintForMissing(idOrName) }),
    data,
  });
}

async function checkConfig(
  entry: RegisteredContribution,
  config: JsonObject,
  schemas: () => Promise<JsonSchemas>,
): Promise<void> {
  const { info } = entry;
  if (info.configSchema === null || (Object.keys(config).length === 0 && fitsEmpty(info.configSchema))) return;
  const issues = (await schemas()).validate(info.configSchema, config);
  if (issues.length === 0) return;
  const list = issues.map(issueText).join('; ');
  throw new KitError('KIT_PLUGIN_CONFIG_INVALID', `the configuration of ${info.id} does not fit: ${list}`, {
    data: { plugin: info.plugin, id: info.id, issues },
  });
}

/**
 * Registers the candidates at once and activates contributions when they are first resolved.
 * Importing starts with `resolve`.
 */
export function createPluginHost(candidates: readonly PluginCandidate[], parts: HostParts): PluginHost {
  const plugins = registerAll(candidates);
  const entries = plugins.flatMap(({ contributions }) => contributions);
  const activations = createActivations(parts);
  let loading: Promise<JsonSchemas> | undefined;
  // One validator a host: each new one compiles the meta-schema again, which takes longer than all
  // the checks.
  const schemas = (): Promise<JsonSchemas> => (loading ??= loadJsonSchemas());
  const entryOf = (point: PointId, idOrName: string): RegisteredContribution | undefined =>
    entries.find(({ info }) => matches(info, point, idOrName));

  /** As a start would register them now. */
  const registeredNow = async (): Promise<readonly RegisteredPlugin[]> => {
    const bundled = candidates.filter(({ origin }) => origin === 'bundled');
    return parts.foreignNow === undefined ? [] : registerAll([...bundled, ...(await parts.foreignNow())]);
  };
  const since = async (point: PointId, idOrName: string): Promise<string | null> => {
    if (entryOf(point, idOrName) !== undefined) return null;
    const now = (await registeredNow()).flatMap(({ contributions }) => contributions);
    return now.find(({ info }) => matches(info, point, idOrName))?.info.plugin ?? null;
  };
  const refuse = async (point: PointId, idOrName: string): Promise<never> => {
    throw unknown({ point, idOrName, later: await since(point, idOrName) }, plugins);
  };

  // Every call of a model comes by: what is there already is given without a promise more.
  function resolve<P extends LivePointId>(point: P, idOrName: string, config: JsonObject): Promise<ExtensionPoints[P]> {
    const entry = entryOf(point, idOrName);
    if (entry === undefined) return refuse(point, idOrName);
    return activations.once(entry, canonicalJson(config), async () => {
      await checkConfig(entry, config, schemas);
      return activations.activate(entry, point, config);
    });
  }

  const reportOf = ({ plugin, problem, contributions }: RegisteredPlugin): PluginReport => {
    const activity = activations.of(plugin);
    const state = problem !== null && contributions.length === 0 ? 'rejected' : activity.state;
    const failure = activity.failure ?? problem;
    return {
      name: plugin.name,
      version: plugin.version,
      origin: plugin.origin,
      root: plugin.root,
      state,
      code: failure?.code ?? null,
      message: failure?.message ?? null,
      contributions: contributions.map(({ info }) => info),
      commands: plugin.commands,
      dropped: plugin.dropped,
      importMs: activity.importMs,
      createMs: activity.createMs,
    };
  };

  return {
    list: (point) => entries.filter(({ info }) => info.point === point).map(({ info }) => info),
    find: (point, idOrName) => entryOf(point, idOrName)?.info ?? null,
    installedSince: since,
    usableNow: async () => {
      const usable = (await registeredNow()).filter(
        ({ plugin, problem }) => plugin.origin !== 'bundled' && problem === null,
      );
      return Object.fromEntries(usable.map(({ plugin }) => [plugin.name, plugin.version]));
    },
    resolve,
    retry: (point, idOrName, config) => {
      const entry = entryOf(point, idOrName);
      if (entry !== undefined) activations.forget(entry, canonicalJson(config));
      return resolve(point, idOrName, config);
    },
    report: () => plugins.map(reportOf),
    dispose: () => activations.dispose(),
  };
}
