import increment from 'semver/functions/inc.js';
import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import type { ErrorCode } from '../domain/error-registry.js';
import { type LivePointId, PLUGIN_API, type PluginReport } from '../domain/extension-points.js';
import { checkManifest, type PluginManifest } from './manifest.js';

/** A plugin as discovery found it: data of its package.json, nothing imported. */
export interface PluginCandidate extends Pick<PluginReport, 'name' | 'version' | 'origin' | 'dropped'> {
  /** Absolute directory of the package. */
  readonly root: string;
  /** The `kit` key of package.json, unchecked. */
  readonly kitKey: unknown;
  /** Ids of the commands that were taken. */
  readonly commands: readonly string[];
  /** Set when discovery itself refused the plugin. */
  readonly problem?: PluginProblem;
}

export interface PluginProblem {
  readonly code: ErrorCode;
  readonly message: string;
  /** What to do next, where the code alone does not tell. */
  readonly hint?: string;
}

export type Registration =
  | { readonly ok: true; readonly manifest: PluginManifest }
  | { readonly ok: false; readonly problem: PluginProblem };

/** Points that some code path of this release uses. */
const LIVE_POINTS: Readonly<Record<LivePointId, true>> = {
  executors: true,
  governanceProviders: true,
  modelProviders: true,
  credentialSources: true,
  artifactStores: true,
  toolSources: true,
  skillStrategies: true,
  triggers: true,
  eventSinks: true,
  compressors: true,
  signalListeners: true,
  agentTransports: true,
  authProviders: true,
  httpMounts: true,
  evalChecks: true,
};

const refuse = (code: ErrorCode, message: string): Registration => ({ ok: false, problem: { code, message } });

/** A range that any major satisfies says nothing; `>=1` would accept the next, breaking API. */
function isTooWide(range: string): boolean {
  const next = increment(PLUGIN_API, 'major');
  return next !== null && satisfies(next, range) && satisfies(PLUGIN_API, range);
}

function apiProblem(plugin: string, range: string): PluginProblem | null {
  if (validRange(range) === null || isTooWide(range)) {
    return {
      code: 'KIT_PLUGIN_MANIFEST_INVALID',
      message: `kit.api of ${plugin} is "${range}"; it must be a semver range within one major version, such as ^${PLUGIN_API}`,
    };
  }
  if (satisfies(PLUGIN_API, range)) return null;
  const message = `${plugin} is made for plugin API ${range}, this kit has ${PLUGIN_API}`;
  return { code: 'KIT_PLUGIN_API_MISMATCH', message };
}

/** Checks one plugin without loading code: manifest, API range, points that this release uses. */
export function registerPlugin(candidate: Pick<PluginCandidate, 'name' | 'kitKey' | 'problem'>): Registration {
  if (candidate.problem !== undefined) return { ok: false, problem: candidate.problem };
  const checked = checkManifest(candidate.kitKey);
  if (!checked.ok) return refuse('KIT_PLUGIN_MANIFEST_INVALID', `${candidate.name}: ${checked.message}`);
  const api = apiProblem(candidate.name, checked.manifest.api);
  if (api !== null) return { ok: false, problem: api };
  const early = Object.keys(checked.manifest.contributes).find((point) => !(point in LIVE_POINTS));
  if (early !== undefined)
    return refuse('KIT_NOT_YET', `${candidate.name} contributes ${early}, which this release does not use yet`);
  return checked;
}
