import { isObject, type Json, type JsonObject, KitError } from '@kit-run/kit/plugin';
import { DEFAULTS } from './generated/defaults.js';
import type { PolicyLanguage } from './policy-files.js';

export interface TrustEntry {
  /** 0..1. */
  readonly score: number;
  /** When it was given; null = it does not decay. */
  readonly asOfMs: number | null;
}

/** `governance.config` of provider `agt`, with `policy_language` beside it. */
export interface AgtConfig {
  readonly language: PolicyLanguage;
  readonly policiesDir: string;
  /** URL of a document of a running OPA; null = the policies are files. */
  readonly opaUrl: string | null;
  readonly entrypoint: string | null;
  readonly suspended: ReadonlySet<string>;
  readonly trustScores: ReadonlyMap<string, TrustEntry>;
  readonly halfLifeHours: number | null;
}

const KEYS: readonly string[] = [
  'policy_language',
  'policies_dir',
  'opa_url',
  'entrypoint',
  'suspended',
  'trust_scores',
  'trust_decay_half_life_hours',
];
const LANGUAGES: readonly PolicyLanguage[] = ['yaml', 'cedar', 'rego'];

/**
 * The host has checked the shape against schemas/agt.json; what would loosen a rule when misread is
 * checked once more.
 */
export function decodeAgtConfig(config: JsonObject): AgtConfig {
  const unknown = Object.keys(config).find((key) => !KEYS.includes(key));
  if (unknown !== undefined)
    throw refuse(`has the unknown key ${JSON.stringify(unknown)}; known are ${KEYS.join(', ')}`);
  const language = LANGUAGES.find((known) => known === (config.policy_language ?? DEFAULTS.agt.policy_language));
  if (language === undefined) throw refuse(`has the unknown policy_language ${JSON.stringify(config.policy_language)}`);
  const opaUrl = textAt(config, 'opa_url');
  if (opaUrl !== null && language !== 'rego')
    throw refuse('has opa_url, which only policy_language rego asks', 'opa_url');
  if (opaUrl !== null && !/^https?:\/\//.test(opaUrl)) throw refuse('has an opa_url that is not an http or https URL');
  const { suspended = [], trust_decay_half_life_hours: halfLife = null } = config;
  if (!Array.isArray(suspended)) throw refuse('needs a list under suspended');
  if (halfLife !== null && !(typeof halfLife === 'number' && halfLife > 0))
    throw refuse('needs a number above 0 under trust_decay_half_life_hours');
  return {
    language,
    policiesDir: textAt(config, 'policies_dir') ?? DEFAULTS.agt.policies_dir,
    opaUrl,
    entrypoint: textAt(config, 'entrypoint'),
    suspended: new Set(suspended.map(agentOf)),
    trustScores: scoresOf(config.trust_scores),
    halfLifeHours: halfLife,
  };
}

function scoresOf(value: Json | undefined): ReadonlyMap<string, TrustEntry> {
  if (value === undefined) return new Map();
  if (!isObject(value)) throw refuse('needs a map under trust_scores');
  return new Map(
    Object.entries(value).map(([agent, entry]) => {
      const score = isObject(entry) ? entry.score : entry;
      const asOf = isObject(entry) ? entry.as_of : undefined;
      if (typeof score !== 'number' || !(score >= 0 && score <= 1))
        throw refuse(`needs a number from 0 to 1 as trust score of ${agent}`);
      const asOfMs = asOf === undefined ? null : typeof asOf === 'string' ? Date.parse(asOf) : Number.NaN;
      if (Number.isNaN(asOfMs)) throw refuse(`needs an ISO 8601 instant as \`as_of\` of ${agent}`);
      return [agent, { score, asOfMs }];
    }),
  );
}

function textAt(config: JsonObject, key: string): string | null {
  const value = config[key];
  if (value === undefined) return null;
  if (typeof value !== 'string' || value === '') throw refuse(`needs a text under ${key}`);
  return value;
}

/** `key` is where the problem is to be shown; the schema of the host points by itself. */
function refuse(problem: string, key?: string): KitError {
  const message = `governance.config of provider agt ${problem}`;
  const data = key === undefined ? {} : { issues: [{ pointer: `/${key}`, rule: 'decode', message: problem }] };
  return new KitError('KIT_PLUGIN_CONFIG_INVALID', message, { data });
}

function agentOf(agent: Json): string {
  if (typeof agent !== 'string' || agent === '') throw refuse('has an entry under suspended that is not an agent');
  return agent;
}
